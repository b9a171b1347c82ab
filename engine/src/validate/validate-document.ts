import type { AgentFile, WorkflowFile } from '@relavium/schemas';
import { validateAgent } from '@relavium/schemas/agent';
import { schemaDocuments } from '@relavium/schemas/documents';
import { validateWorkflow } from '@relavium/schemas/workflow';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { YamlDocument } from '../parse/yaml-document.js';
import { schemaDiagnostics } from './schema-diagnostics.js';

/** A document that has the shape of its kind; `value` is absent where it has not. */
export interface Validated<T> {
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

export function validateWorkflowDocument(document: YamlDocument): Validated<WorkflowFile> {
  const result = validateWorkflow(document.value);
  if (result.ok) return { value: result.value, diagnostics: [] };
  return { diagnostics: schemaDiagnostics(document, schemaDocuments.workflow, result.issues) };
}

export function validateAgentDocument(document: YamlDocument): Validated<AgentFile> {
  const result = validateAgent(document.value);
  if (result.ok) return { value: result.value, diagnostics: [] };
  return { diagnostics: schemaDiagnostics(document, schemaDocuments.agent, result.issues) };
}
