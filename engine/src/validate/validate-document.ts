import type { AgentFile, WorkflowFile } from '@relavium/schemas';
import { validateAgent } from '@relavium/schemas/agent';
import { schemaDocuments } from '@relavium/schemas/documents';
import { validateWorkflow } from '@relavium/schemas/workflow';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { YamlDocument } from '../parse/yaml-document.js';
import { type Salvaged, salvage } from './salvage.js';
import { locatedIssues, schemaDiagnostics } from './schema-diagnostics.js';

/** A document that has the shape of its kind; `value` is absent where it has not. */
export interface Validated<T> {
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ValidatedWorkflow extends Validated<WorkflowFile> {
  /** Without `value`: what is left when the broken parts are taken out, for the stages after this one. */
  readonly salvaged?: Salvaged;
}

export function validateWorkflowDocument(document: YamlDocument): ValidatedWorkflow {
  const result = validateWorkflow(document.value);
  if (result.ok) return { value: result.value, diagnostics: [] };
  const located = locatedIssues(document, result.issues);
  const salvaged = salvage(document, located);
  return {
    ...(salvaged !== undefined && isLinkable(salvaged) ? { salvaged } : {}),
    diagnostics: schemaDiagnostics(document, schemaDocuments.workflow, located),
  };
}

/** A name of the wrong letters is still a name, and leaving it in place spares everybody who uses it a second finding. */
const HARMLESS: ReadonlySet<string> = new Set(['pattern', 'maxLength', 'uniqueItems']);

function isLinkable(salvaged: Salvaged): boolean {
  const again = validateWorkflow(salvaged.document.value);
  return again.ok || again.issues.every((issue) => HARMLESS.has(issue.keyword));
}

export function validateAgentDocument(document: YamlDocument): Validated<AgentFile> {
  const result = validateAgent(document.value);
  if (result.ok) return { value: result.value, diagnostics: [] };
  return { diagnostics: schemaDiagnostics(document, schemaDocuments.agent, locatedIssues(document, result.issues)) };
}
