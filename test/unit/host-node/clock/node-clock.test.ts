import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeClock } from '../../../../hosts/node/src/clock/node-clock.js';

const DAY = 86_400_000;

describe('a timer', () => {
  beforeEach(() => vi.useFakeTimers({ now: 1_000 }));
  afterEach(() => vi.useRealTimers());

  it('fires at its instant, also one that is further away than a timer of the platform reaches', () => {
    const fire = vi.fn();
    nodeClock().at(1_000 + 60 * DAY, fire);
    vi.advanceTimersByTime(60 * DAY - 1);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fire).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that is taken back does not fire, whichever part of the wait it is in', () => {
    const fire = vi.fn();
    const takeBack = nodeClock().at(1_000 + 60 * DAY, fire);
    vi.advanceTimersByTime(40 * DAY);
    takeBack();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(40 * DAY);
    expect(fire).not.toHaveBeenCalled();
  });

  it('waits on where the clock was set back meanwhile', () => {
    const fire = vi.fn();
    nodeClock().at(2_000, fire);
    vi.setSystemTime(500);
    vi.advanceTimersByTime(1_000);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect(fire).toHaveBeenCalledOnce();
  });

  it('for an instant that is past fires soon, and never at once', () => {
    const fire = vi.fn();
    nodeClock().at(0, fire);
    expect(fire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fire).toHaveBeenCalledOnce();
  });
});
