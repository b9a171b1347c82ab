import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RetryPlan } from '../../../../engine/src/plan/plan.js';
import { backoff } from '../../../../engine/src/run/retry.js';

const plan: RetryPlan = { max: 5, backoff: 'constant', backoffMs: 100, maxBackoffMs: 300_000, jitter: 0 };

describe('the delay before another attempt', () => {
  it('is the same each time, grows by the step, or doubles', () => {
    const delays = (kind: RetryPlan['backoff']) => [1, 2, 3, 4].map((attempt) => backoff({ ...plan, backoff: kind }, attempt, 'r'));
    expect(delays('constant')).toEqual([100, 100, 100, 100]);
    expect(delays('linear')).toEqual([100, 200, 300, 400]);
    expect(delays('exponential')).toEqual([100, 200, 400, 800]);
  });

  it('stops growing at max_backoff_ms', () => {
    expect(backoff({ ...plan, backoff: 'exponential', maxBackoffMs: 250 }, 9, 'r')).toBe(250);
  });

  it('stays within the jitter and depends on the seed alone', () => {
    fc.assert(
      fc.property(fc.string(), fc.double({ min: 0, max: 1, noNaN: true }), (seed, jitter) => {
        const delay = backoff({ ...plan, jitter }, 1, seed);
        expect(delay).toBe(backoff({ ...plan, jitter }, 1, seed));
        expect(delay).toBeGreaterThanOrEqual(Math.floor(100 * (1 - jitter)));
        expect(delay).toBeLessThanOrEqual(Math.ceil(100 * (1 + jitter)));
      }),
    );
  });

  it('spreads: near seeds give different delays', () => {
    const delays = new Set(Array.from({ length: 100 }, (_, i) => backoff({ ...plan, backoffMs: 10_000, jitter: 1 }, 1, `run\nnode\n${i}`)));
    expect(delays.size).toBeGreaterThan(90);
  });
});
