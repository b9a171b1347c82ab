import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../engine/src/json.js';
import { checkValue } from '../../../../engine/src/validate/check-value.js';

describe('a value under the schema of an author', () => {
  it('meets every pattern of it, each for itself', () => {
    const schema: Json = {
      properties: { a: { pattern: '^a' }, list: { items: { pattern: 'b$' } } },
      patternProperties: { '^n_': { type: 'number' } },
      propertyNames: { pattern: '^[a-z_]+$' },
    };
    expect(checkValue(schema, { a: 'ab', list: ['ab', 'b'], n_x: 1 })).toEqual([]);
    expect(checkValue(schema, { a: 'ba' })).toEqual(['/a must match pattern "^a"']);
    expect(checkValue(schema, { list: ['ab', 'ba'] })).toEqual(['/list/1 must match pattern "b$"']);
    expect(checkValue(schema, { n_x: 'one' })).toEqual(['/n_x must be number']);
    expect(checkValue(schema, { A: 1 })).not.toEqual([]);
  });

  it('agrees with the patterns themselves, however many there are', () => {
    const pattern = fc.constantFrom('^a', 'a$', 'b', '^(ab)+$', '[^a]', '^$', 'a.b');
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1 }), fc.string({ unit: fc.constantFrom('a', 'b') }), (patterns, text) => {
        const matches = patterns.every((one) => new RegExp(one).test(text));
        expect(checkValue({ allOf: patterns.map((one) => ({ pattern: one })) }, text).length === 0).toBe(matches);
      }),
    );
  });

  it('understands the escapes of JavaScript in a pattern', () => {
    const schema = { pattern: '^[\\u4e00-\\u9fa5\\u{1f600}]+$' };
    expect(checkValue(schema, '\u4e2d\u{1f600}')).toEqual([]);
    expect(checkValue(schema, 'a')).toHaveLength(1);
  });

  it('has unique items as JSON counts them, and a long list is soon looked through', () => {
    const unique = (items: Json) => checkValue({ uniqueItems: true }, items).length === 0;
    expect([unique([1, '1', true, 'true', null, 'null', [], {}, '[]', [[]], [1]])]).toEqual([true]);
    for (const items of [
      [1, 1.0],
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      [
        [1, [2]],
        [1, [2]],
      ],
      ['a', 'b', 'a'],
    ] as Json[])
      expect(unique(items)).toBe(false);
    const long = Array.from({ length: 100_000 }, (_, index) => ({ index, name: `item ${index}` }));
    expect(unique(long)).toBe(true);
    expect(unique([...long, { name: 'item 7', index: 7 }])).toBe(false);
    expect(checkValue({ items: { uniqueItems: true } }, [[1], [2, 2]])).toEqual(['/1 must NOT have equal items']);
  });

  it('is measured by formats, and told without a name that would break the line', () => {
    expect(checkValue({ format: 'email' }, 'ada@example.com')).toEqual([]);
    expect(checkValue({ format: 'email' }, 'ada')).toHaveLength(1);
    expect(checkValue({ additionalProperties: false }, { 'a\nb': 1 })).toEqual(['the value must NOT have additional properties "a\\nb"']);
    expect(checkValue(false, 1)).toEqual(['no value is allowed']);
  });
});
