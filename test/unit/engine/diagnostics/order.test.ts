import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../engine/src/diagnostics/diagnostic.js';
import { ordered } from '../../../../engine/src/diagnostics/order.js';

const finding = fc
  .record({
    path: fc.constantFrom('a', 'b', 'c'),
    code: fc.constantFrom('x', 'y'),
    message: fc.constantFrom('m', 'n'),
    start: fc.nat(3),
    length: fc.nat(2),
  })
  .map(
    ({ path, code, message, start, length }): Diagnostic => ({
      code,
      severity: 'error',
      message,
      source: { path, text: 'text' },
      range: { start, end: start + length },
    }),
  );

describe('the order of findings', () => {
  it('is by file as the files came up, then by position', () => {
    const at = (path: string, start: number): Diagnostic => ({
      code: 'x',
      severity: 'error',
      message: 'm',
      source: { path, text: '' },
      range: { start, end: start },
    });
    const found = ordered([at('a', 5), at('b', 1), at('a', 2)], ['b', 'a']);
    expect(found.map((one) => `${one.source.path}${one.range.start}`)).toEqual(['b1', 'a2', 'a5']);
  });

  it('does not depend on the order in which they were found, and holds none twice', () => {
    fc.assert(
      fc.property(fc.array(finding), (list) => {
        const one = ordered(list, ['b', 'a']);
        const other = ordered([...list].reverse(), ['b', 'a']);
        expect(other).toEqual(one);
        expect(new Set(one.map((found) => JSON.stringify(found))).size).toBe(one.length);
      }),
    );
  });
});
