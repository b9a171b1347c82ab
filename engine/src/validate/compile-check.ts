import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { linearPattern } from './linear-pattern.js';

export type Check = ValidateFunction<unknown>;

/** An author's JSON Schema (2020-12) as a function. Its patterns run in a linear-time engine. */
export function compileCheck(schema: object): Check {
  const regExp = Object.assign((pattern: string) => linearPattern(pattern), { code: 'linearPattern' });
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats: fullFormats, code: { regExp } });
  return ajv.compile(schema);
}
