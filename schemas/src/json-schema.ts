import type { JsonSchema } from './generated/shapes.js';
import { validators } from './generated/validate-json-schema.js';
import { check, type ValidationResult } from './validation.js';

/** Checks that an author's JSON Schema (2020-12) is well formed. Whether its references lead somewhere is not looked at. */
export function validateJsonSchema(value: unknown): ValidationResult<JsonSchema> {
  return check(validators.jsonSchema, value);
}
