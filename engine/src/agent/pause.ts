import type { CancelSignal } from '../ports/cancel.js';
import type { Clock } from '../ports/clock.js';

/** Resolves after so many milliseconds, or as soon as the signal comes. */
export function pause(milliseconds: number, clock: Clock, signal: CancelSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      takeBack();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const takeBack = clock.at(clock.now() + milliseconds, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
