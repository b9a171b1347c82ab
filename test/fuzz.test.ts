import { describe, expect, it } from 'vitest';
import { scenes } from './src/fuzz/attacks.js';
import { fuzzDag } from './src/fuzz/dag.js';
import { fuzzHostile } from './src/fuzz/hostile.js';
import { fuzzPaths } from './src/fuzz/paths.js';

describe('random graphs', () => {
  it('end, once and for all, with a log that is the whole truth, whatever the order of things', { timeout: 120_000 }, async () => {
    const result = await fuzzDag({ target: 'dag', seed: 20_200_101, limit: { numRuns: 300 } });
    expect(result).toMatchObject({ ok: true, counts: { runs: 300 } });
    // The graphs are worth the name: runs end in all three ways, and some of them race.
    for (const count of ['succeeded', 'failed', 'cancelled', 'races']) expect([count, result.counts[count]]).not.toEqual([count, 0]);
  });
});

describe('the command on hostile input', () => {
  it('gives an error or a right answer, never a stack trace, a hang or a wrong exit code', { timeout: 600_000 }, async () => {
    const result = await fuzzHostile({ target: 'hostile', seed: 1, limit: { numRuns: Object.keys(scenes).length } });
    expect(result).toMatchObject({ ok: true });
  });
});

describe('random paths', () => {
  it('show and change nothing outside the workspace or behind a floor', { timeout: 120_000 }, async () => {
    const result = await fuzzPaths({ target: 'paths', seed: 1, limit: { numRuns: 2000 } });
    expect(result).toMatchObject({ ok: true });
    expect(result.counts.allowed).toBeGreaterThan(50);
    expect(result.counts.refused).toBeGreaterThan(50);
  });
});
