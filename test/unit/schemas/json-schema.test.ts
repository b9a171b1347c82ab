import { describe, expect, it } from 'vitest';
import { validateJsonSchema } from '../../../schemas/src/json-schema.js';

describe("an author's JSON Schema", () => {
  it('is accepted when it is well formed, unknown keywords and references included', () => {
    const schema = {
      type: ['object', 'null'],
      properties: { a: { $ref: '#/$defs/b' } },
      $defs: { b: { minLength: 0, 'x-note': 1 } },
      pattern: '^a+$',
    };
    expect([true, false, {}, schema].filter((value) => !validateJsonSchema(value).ok)).toEqual([]);
  });

  const mistakes: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['a type that does not exist', { properties: { a: { type: 'strin' } } }, ['/properties/a/type enum']],
    ['required as text', { required: 'a' }, ['/required type']],
    ['a negative length', { items: { minLength: -1 } }, ['/items/minLength minimum']],
    ['a pattern that is no regular expression', { pattern: '(' }, ['/pattern format']],
    ['a list', [], [' type']],
    ['a list as a sub-schema', { not: [] }, ['/not type']],
  ];
  for (const [what, value, expected] of mistakes) {
    it(`is refused with one issue: ${what}`, () => {
      const result = validateJsonSchema(value);
      expect(result.ok ? [] : result.issues.map((issue) => `${issue.instancePath} ${issue.keyword}`)).toEqual(expected);
    });
  }
});
