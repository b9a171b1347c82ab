import { describe, expect, it } from 'vitest';
import { bases } from './src/mutations/bases.js';
import { mutate } from './src/mutations/mutate.js';

describe('a workflow with one mistake in it', () => {
  it('is found out in nearly every case, on the line of the mistake', { timeout: 120_000 }, () => {
    const tally = mutate(bases({}), 300, 1);
    expect(tally.mutants).toBe(300);
    expect(tally.thrownAway).toBeGreaterThan(0);
    expect(tally.found / tally.mutants).toBeGreaterThanOrEqual(0.99);
    expect(tally.onLine / tally.mutants).toBeGreaterThanOrEqual(0.95);
  });
});
