import type { Cancel, CancelSignal } from '../ports/cancel.js';
import type { Clock } from '../ports/clock.js';
import { type Outcome, outOfTime } from './outcome.js';

/** One attempt of a tool or agent under way. */
export interface Execution {
  /** False once it has ended or was given up. */
  readonly isUnderWay: boolean;
  /** Tells it to end, and gives it up if it does not within ten seconds. */
  stop(): void;
  /** Goes on without it at once. */
  giveUp(): void;
}

export interface ExecutionParts {
  readonly clock: Clock;
  readonly cancel: Cancel;
  /** Bounds this attempt. */
  readonly timeoutMs: number | undefined;
  readonly work: (signal: CancelSignal) => Promise<Outcome>;
  /** Called once: what a work that was given up answers later changes nothing. */
  readonly ended: (outcome: Outcome) => void;
  /** The work threw, which is a fault of ours. */
  readonly fault: (fault: unknown) => void;
}

/** Milliseconds that a stopped execution may take before the run goes on without it. */
const ABANDON_AFTER_MS = 10_000;

export function execute({ clock, cancel, timeoutMs, work, ended, fault }: ExecutionParts): Execution {
  const takeBacks: (() => void)[] = [];
  let isUnderWay = true;
  let isOutOfTime = false;
  const end = (outcome: Outcome): void => {
    if (!isUnderWay) return;
    isUnderWay = false;
    for (const takeBack of takeBacks) takeBack();
    ended(isOutOfTime ? outOfTime(timeoutMs!) : outcome);
  };
  const giveUp = (): void => end({ kind: 'cancelled' });
  const stop = (): void => {
    cancel.cancel();
    takeBacks.push(clock.at(clock.now() + ABANDON_AFTER_MS, giveUp));
  };
  if (timeoutMs !== undefined) {
    const expire = (): void => {
      isOutOfTime = true;
      stop();
    };
    takeBacks.push(clock.at(clock.now() + timeoutMs, expire));
  }
  work(cancel.signal).then(end, (thrown) => {
    if (isUnderWay) fault(thrown);
  });
  return {
    get isUnderWay() {
      return isUnderWay;
    },
    stop,
    giveUp,
  };
}
