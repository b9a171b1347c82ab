import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Json } from '../json.js';
import { linearPattern } from './linear-pattern.js';
import { areUnique } from './unique-items.js';

export type Check = ValidateFunction<unknown>;

/** An author's JSON Schema (2020-12) as a function, whose time is linear in the value: patterns and the search for equal items are ours. */
export function compileCheck(schema: object): Check {
  const regExp = Object.assign((pattern: string) => linearPattern(pattern), { code: 'linearPattern' });
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats: fullFormats, code: { regExp } });
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have equal items' },
    validate: (wanted: boolean, items: readonly Json[], _, place) => !wanted || areUnique(items, place?.rootData),
  });
  return ajv.compile(schema);
}
