import { describe, expect, it } from 'vitest';
import { runSimulated, simulatedClock } from '../../../../engine/src/testing/simulated-clock.js';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('simulatedClock', () => {
  it('stands still until it is told to move', () => {
    const clock = simulatedClock(1000);
    const fired: string[] = [];
    clock.at(1500, () => fired.push('a'));
    expect(clock.now()).toBe(1000);
    expect(fired).toEqual([]);
    expect(clock.advance()).toBe(true);
    expect([clock.now(), fired]).toEqual([1500, ['a']]);
  });

  it('fires by instant, and at one instant in the order of being set', () => {
    const clock = simulatedClock();
    const fired: string[] = [];
    for (const [name, instant] of [
      ['late', 20],
      ['first', 10],
      ['second', 10],
    ] as const)
      clock.at(instant, () => fired.push(name));
    clock.advance();
    expect(fired).toEqual(['first', 'second']);
    clock.advance();
    expect(fired).toEqual(['first', 'second', 'late']);
  });

  it('fires what a timer sets for the same instant at the next move, without time passing', () => {
    const clock = simulatedClock();
    const fired: string[] = [];
    clock.at(10, () => clock.at(5, () => fired.push('inner')));
    clock.advance();
    expect(fired).toEqual([]);
    clock.advance();
    expect([clock.now(), fired]).toEqual([10, ['inner']]);
  });

  it('forgets a timer that was taken back, even by another one that is due at the same time', () => {
    const clock = simulatedClock();
    const fired: string[] = [];
    clock.at(10, () => takeBack());
    const takeBack = clock.at(10, () => fired.push('never'));
    clock.advance();
    expect([fired, clock.pending, clock.advance()]).toEqual([[], 0, false]);
  });
});

describe('runSimulated', () => {
  it('runs hours of waiting without waiting', async () => {
    const clock = simulatedClock();
    const done = (async () => {
      for (let hour = 0; hour < 24; hour++) await new Promise<void>((resolve) => clock.at(clock.now() + 3_600_000, resolve));
      return clock.now();
    })();
    expect(await runSimulated(done, clock, settle)).toBe(24 * 3_600_000);
  });

  it('says so when nothing is left that could end the run', async () => {
    await expect(runSimulated(new Promise(() => {}), simulatedClock(), settle)).rejects.toThrow('no timer left');
  });
});
