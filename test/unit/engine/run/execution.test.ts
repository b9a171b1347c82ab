import { describe, expect, it } from 'vitest';
import { Execution } from '../../../../engine/src/run/execution.js';
import type { Outcome } from '../../../../engine/src/run/outcome.js';
import { simulatedClock } from '../../../../engine/src/testing/simulated-clock.js';

function start(timeoutMs?: number) {
  const clock = simulatedClock();
  const ends: Outcome[] = [];
  const faults: unknown[] = [];
  const controller = new AbortController();
  let answer: (outcome: Outcome) => void = () => undefined;
  let fail: (fault: unknown) => void = () => undefined;
  const execution = new Execution({
    clock,
    cancel: { signal: controller.signal, cancel: () => controller.abort() },
    timeoutMs,
    work: () =>
      new Promise((resolve, reject) => {
        answer = resolve;
        fail = reject;
      }),
    ended: (outcome) => ends.push(outcome),
    fault: (fault) => faults.push(fault),
  });
  execution.begin();
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  return {
    clock,
    ends,
    faults,
    controller,
    execution,
    answer: (outcome: Outcome) => answer(outcome),
    fail: (fault: unknown) => fail(fault),
    settle,
  };
}

const good: Outcome = { kind: 'succeeded', output: 1 };

describe('an execution', () => {
  it('ends once, with what its work answers', async () => {
    const { ends, answer, settle, clock } = start(1_000);
    answer(good);
    await settle();
    expect([ends, clock.pending]).toEqual([[good], 0]);
  });

  it('that was given up changes nothing by a late answer or fault', async () => {
    const { ends, faults, execution, answer, fail, settle, clock, controller } = start();
    execution.stop();
    expect(controller.signal.aborted).toBe(true);
    clock.advance();
    answer(good);
    fail(new Error('late'));
    await settle();
    expect([ends, faults, execution.isUnderWay, clock.now()]).toEqual([[{ kind: 'cancelled' }], [], false, 10_000]);
  });

  it('that is out of time has failed with timeout, however it ends', async () => {
    const { ends, answer, settle, clock } = start(50);
    clock.advance();
    answer({ kind: 'cancelled' });
    await settle();
    expect(ends).toMatchObject([{ kind: 'failed', code: 'timeout' }]);
  });
});
