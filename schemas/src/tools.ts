import type { ToolArguments } from './generated/tool-arguments.js';
import type { BuiltinToolId } from './generated/tool-parameters.js';
import { validators } from './generated/validate-tool-arguments.js';
import { check, type ValidationResult } from './validation.js';

export type * from './generated/tool-arguments.js';
export { type BuiltinToolId, type ToolParameters, toolParameters } from './generated/tool-parameters.js';

/** Checks the complete arguments of a call, those of the model and those of the author together. Byte limits are not looked at. */
export function validateToolArguments<Id extends BuiltinToolId>(tool: Id, value: unknown): ValidationResult<ToolArguments[Id]> {
  return check(validators[tool], value);
}
