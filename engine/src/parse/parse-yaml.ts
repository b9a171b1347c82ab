import { Composer, type CST, type Document, type Node, Parser } from 'yaml';
import { multipleDocuments, tooDeep } from '../diagnostics/catalogue/reading.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import { MAX_YAML_DEPTH } from '../plan/ceilings.js';
import type { SourceText } from '../source/source-text.js';
import { tooDeepAt } from './depth.js';
import { locate } from './locate.js';
import { plainValue } from './plain-value.js';
import { quickValue } from './quick-value.js';
import { suppressionComments } from './suppression-comments.js';
import { syntaxProblems } from './syntax-problems.js';
import type { YamlDocument } from './yaml-document.js';

export interface ParsedYaml {
  /** Absent where the text is no YAML at all or its structure cannot be trusted. */
  readonly document?: YamlDocument;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Duplicate keys have a check of our own: the library's compares each key with each one before it. Merge keys are no part of YAML
 * 1.2, so `<<` is a key like any other and the schema refuses it.
 */
const OPTIONS = { schema: 'core', merge: false, resolveKnownTags: false, uniqueKeys: false } as const;

/** One YAML 1.2 document as located plain data. Never throws, whatever the text; a reference is never expanded. */
export function parseYaml(source: SourceText): ParsedYaml {
  const value = quickValue(source.text);
  if (value === undefined) return parseComposed(source);
  let made: readonly CST.Token[] | undefined;
  const tokens = (): readonly CST.Token[] => {
    made ??= tokensOf(source);
    return made;
  };
  const compose = (): Node | null => composed(tokens(), source.text.length)[0]?.contents ?? null;
  return { document: locate(source, value, compose, new Map(), suppressionComments(source, tokens)), diagnostics: [] };
}

function parseComposed(source: SourceText): ParsedYaml {
  const tokens = tokensOf(source);
  // Composing calls itself for each level, so the depth is judged on the tokens, which a loop makes.
  const deep = tooDeepAt(tokens, MAX_YAML_DEPTH);
  if (deep !== undefined) {
    return { diagnostics: [diagnose(tooDeep, source, { start: deep, end: deep + 1 }, { limit: MAX_YAML_DEPTH })] };
  }
  const documents = composed(tokens, source.text.length);
  const problems = documents.flatMap((document) => syntaxProblems(source, document, tokens));
  const [document, second] = documents;
  if (second !== undefined && problems.length === 0) {
    const start = second.range[0];
    problems.push(diagnose(multipleDocuments, source, { start, end: Math.min(start + 3, source.text.length) }, {}));
  }
  if (document === undefined || problems.length > 0) return { diagnostics: problems };
  const plain = plainValue(source, document);
  if (!plain.expandable) return { diagnostics: plain.diagnostics };
  return {
    document: locate(
      source,
      plain.value,
      () => document.contents,
      plain.targets,
      suppressionComments(source, () => tokens),
    ),
    diagnostics: plain.diagnostics,
  };
}

function tokensOf(source: SourceText): readonly CST.Token[] {
  return [...new Parser().parse(source.text)];
}

function composed(tokens: readonly CST.Token[], length: number): readonly Document.Parsed[] {
  return [...new Composer(OPTIONS).compose(tokens, true, length)] as Document.Parsed[];
}
