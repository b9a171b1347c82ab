import { type Diagnostic, locatedIssues, parseYaml, type SourceText, schemaDiagnostics } from '@relavium/engine';
import type { ScriptFile } from '@relavium/schemas';
import { schemaDocuments } from '@relavium/schemas/documents';
import { validateScript } from '@relavium/schemas/script';

export interface ParsedScript {
  /** Absent where there is an error. */
  readonly script?: ScriptFile;
  readonly diagnostics: readonly Diagnostic[];
}

/** A script of the scripted provider, in YAML or JSON. */
export function parseScript(source: SourceText): ParsedScript {
  const { document, diagnostics } = parseYaml(source);
  if (document === undefined || diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics };
  const checked = validateScript(document.value);
  if (checked.ok) return { script: checked.value, diagnostics };
  return { diagnostics: [...diagnostics, ...schemaDiagnostics(document, schemaDocuments.script, locatedIssues(document, checked.issues))] };
}
