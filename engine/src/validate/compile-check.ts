import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Json } from '../json.js';
import { linearPattern } from './linear-pattern.js';
import { areUnique, newNumbers } from './unique-items.js';

/** What is wrong with a value; none: it is valid. */
export type Check = (value: Json) => readonly ErrorObject[];

/** An author's JSON Schema (2020-12) as a function, whose time is linear in the value: patterns and the search for equal items are ours. */
export function compileCheck(schema: object): Check {
  const regExp = Object.assign((pattern: string) => linearPattern(pattern), { code: 'linearPattern' });
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats: fullFormats, code: { regExp } });
  let numbers = newNumbers();
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have equal items' },
    validate: (wanted: boolean, items: readonly Json[]) => !wanted || areUnique(items, numbers),
  });
  const validate = ajv.compile(schema);
  return (value) => {
    try {
      return validate(value) ? [] : (validate.errors ?? []);
    } finally {
      // They hold on to the value.
      numbers = newNumbers();
    }
  };
}
