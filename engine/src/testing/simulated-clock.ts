import type { Clock } from '../ports/clock.js';

/** A clock that stands still until it is told to move, so that hours of waiting cost nothing and every order is decided. */
export interface SimulatedClock extends Clock {
  /** Moves to the earliest timer's instant and fires all that are due then, in the order in which they were set. False: no timer is set. */
  advance(): boolean;
  /** Timers that have neither fired nor been taken back. */
  readonly pending: number;
}

export function simulatedClock(start = 0): SimulatedClock {
  let now = start;
  let pending = 0;
  /** By instant, then in the order of being set. */
  const timers: Timer[] = [];

  const at = (instant: number, fire: () => void): (() => void) => {
    const timer: Timer = { instant: Math.max(instant, now), fire, isSet: true };
    timers.splice(upperBound(timers, timer.instant), 0, timer);
    pending++;
    return () => {
      if (timer.isSet) pending--;
      timer.isSet = false;
    };
  };

  return {
    now: () => now,
    at,
    soon: (fire) => void at(now, fire),
    advance() {
      while (timers[0]?.isSet === false) timers.shift();
      const first = timers[0];
      if (first === undefined) return false;
      now = first.instant;
      const due = timers.splice(0, upperBound(timers, now));
      for (const timer of due) {
        if (!timer.isSet) continue;
        timer.isSet = false;
        pending--;
        timer.fire();
      }
      return true;
    },
    get pending() {
      return pending;
    },
  };
}

/**
 * Runs what waits on a simulated clock to its end. `settle` resolves once everything that is ready without time passing has been
 * done; on Node a turn of `setImmediate` does. Rejects when nothing is left that could make `done` settle.
 */
export async function runSimulated<T>(done: Promise<T>, clock: SimulatedClock, settle: () => Promise<void>): Promise<T> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  done.then(over, over);
  for (;;) {
    await settle();
    if (isOver) return done;
    if (!clock.advance()) throw new Error('the clock has no timer left and the run has not ended');
  }
}

interface Timer {
  readonly instant: number;
  readonly fire: () => void;
  isSet: boolean;
}

function upperBound(timers: readonly Timer[], instant: number): number {
  let low = 0;
  let high = timers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timers[middle]!.instant <= instant) low = middle + 1;
    else high = middle;
  }
  return low;
}
