import type { WorkflowFile } from './generated/shapes.js';
import { validators } from './generated/validate-workflow.js';
import { check, type ValidationResult } from './validation.js';

/** Checks the shape of a `*.relavium.yaml` document. Names, references and expressions are not looked at. */
export function validateWorkflow(value: unknown): ValidationResult<WorkflowFile> {
  return check(validators.workflow, value);
}
