import type { ScriptFile } from './generated/shapes.js';
import { validators } from './generated/validate-script.js';
import { check, type ValidationResult } from './validation.js';

/** Checks the shape of a script for the scripted provider. */
export function validateScript(value: unknown): ValidationResult<ScriptFile> {
  return check(validators.script, value);
}
