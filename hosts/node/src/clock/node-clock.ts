import type { Clock } from '@relavium/engine';

/** The clock of this machine. A pending timer keeps the process alive. */
export function nodeClock(): Clock {
  return { now: () => Date.now(), at: timerAt, soon: (fire) => void setImmediate(fire) };
}

/** Longest delay that a timer of the platform takes; a longer one would fire at once. */
const LONGEST = 2 ** 31 - 1;

/** Long waits are made of several timers, and the instant is compared again each time, so a clock that is set does not end a wait early. */
function timerAt(instant: number, fire: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = () => {
    const left = instant - Date.now();
    timer = setTimeout(left > 0 ? onTime : fire, Math.min(Math.max(left, 0), LONGEST));
  };
  const onTime = () => {
    if (Date.now() >= instant) fire();
    else arm();
  };
  arm();
  return () => clearTimeout(timer);
}
