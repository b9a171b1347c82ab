import type { RunEvent } from './generated/shapes.js';
import { validators } from './generated/validate-event.js';
import { check, type ValidationResult } from './validation.js';

/** Checks the shape of one event of a run. */
export function validateEvent(value: unknown): ValidationResult<RunEvent> {
  return check(validators.event, value);
}
