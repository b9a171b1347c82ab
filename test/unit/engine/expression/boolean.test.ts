import { describe, expect, it } from 'vitest';
import { toBoolean } from '../../../../engine/src/expression/boolean.js';
import type { Json } from '../../../../engine/src/json.js';

const decide = (value: Json | undefined) => toBoolean({ ok: true, value });

describe('a condition', () => {
  it('is a boolean, or nothing, which counts as false', () => {
    expect([decide(true), decide(false), decide(null), decide(undefined)]).toEqual([
      { ok: true, value: true },
      { ok: true, value: false },
      { ok: true, value: false },
      { ok: true, value: false },
    ]);
  });

  it.each<[Json, string]>([
    ['false', 'the text "false"'],
    ['', 'the text ""'],
    [0, 'the number 0'],
    [[], 'a list: []'],
    [{ a: 1 }, 'an object: {"a":1}'],
    ['x'.repeat(1000), `the text "${'x'.repeat(99)}…"`],
    [Array.from({ length: 1000 }, () => 0), 'a list of 1000 elements'],
  ])('is not %j', (value, described) => {
    expect(decide(value)).toEqual({
      ok: false,
      reason: 'result_type',
      message: `a condition must be true or false, and this is ${described}`,
    });
  });

  it('hands an error on', () => {
    const failure = { ok: false, reason: 'budget', message: 'stopped' } as const;
    expect(toBoolean(failure)).toBe(failure);
  });
});
