import type { AgentFile, WorkflowFile } from '@relavium/schemas';
import { credentialInFile } from '../diagnostics/catalogue/reading.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import { applySuppressions } from '../diagnostics/suppressions.js';
import { writtenCredentials } from '../masking/written-credentials.js';
import { parseYaml } from '../parse/parse-yaml.js';
import type { YamlDocument } from '../parse/yaml-document.js';
import type { SourceReader } from '../ports/source-reader.js';
import type { SourceText } from '../source/source-text.js';
import type { Salvaged } from '../validate/salvage.js';
import { validateAgentDocument, validateWorkflowDocument } from '../validate/validate-document.js';

/** A file that was read, parsed and checked for its shape; parts are missing where that failed. */
export interface ReadFile<T> {
  readonly document?: YamlDocument;
  readonly value?: T;
  /** Of a workflow whose shape is broken: what is left of it. */
  readonly salvaged?: Salvaged;
}

/** The files of one compilation. Each is parsed once, however often it is named; its findings are kept once. */
export interface Files {
  readonly reader: SourceReader;
  /** In the order in which they came up. */
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
  workflow(source: SourceText): ReadFile<WorkflowFile>;
  agent(source: SourceText): ReadFile<AgentFile>;
  add(found: readonly Diagnostic[]): void;
  /** All findings, suppressed ones left out. */
  finished(): readonly Diagnostic[];
}

export function newFiles(reader: SourceReader): Files {
  const sources: SourceText[] = [];
  const diagnostics: Diagnostic[] = [];
  const documents: YamlDocument[] = [];
  const known = new Map<string, ReadFile<unknown>>();
  const read = <T>(kind: string, source: SourceText, validate: Validate<T>): ReadFile<T> => {
    const key = `${kind} ${source.path}`;
    const found = known.get(key) as ReadFile<T> | undefined;
    if (found !== undefined) return found;
    if (!sources.some((other) => other.path === source.path)) sources.push(source);
    const parsed = parseYaml(source);
    for (const diagnostic of parsed.diagnostics) diagnostics.push(diagnostic);
    for (const range of writtenCredentials(source.text)) diagnostics.push(diagnose(credentialInFile, source, range, {}));
    const made = parsed.document === undefined ? {} : validated(parsed.document, validate, parsed.diagnostics, diagnostics);
    if (parsed.document !== undefined) documents.push(parsed.document);
    known.set(key, made);
    return made;
  };
  return {
    reader,
    sources,
    diagnostics,
    workflow: (source) => read('workflow', source, validateWorkflowDocument),
    agent: (source) => read('agent', source, validateAgentDocument),
    add: (found) => {
      for (const diagnostic of found) diagnostics.push(diagnostic);
    },
    finished: () => documents.reduce<readonly Diagnostic[]>((found, document) => applySuppressions(document, found), diagnostics),
  };
}

type Validate<T> = (document: YamlDocument) => {
  readonly value?: T;
  readonly salvaged?: Salvaged;
  readonly diagnostics: readonly Diagnostic[];
};

/** A value that could not be read is null in the data; that the schema does not want null there is no second problem. */
function validated<T>(
  document: YamlDocument,
  validate: Validate<T>,
  unread: readonly Diagnostic[],
  diagnostics: Diagnostic[],
): ReadFile<T> {
  const result = validate(document);
  const known = new Set(unread.map((diagnostic) => diagnostic.range.start));
  for (const diagnostic of result.diagnostics) if (!known.has(diagnostic.range.start)) diagnostics.push(diagnostic);
  return {
    document,
    ...(result.value === undefined ? {} : { value: result.value }),
    ...(result.salvaged === undefined ? {} : { salvaged: result.salvaged }),
  };
}
