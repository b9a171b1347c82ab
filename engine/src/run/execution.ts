import type { Cancel, CancelSignal } from '../ports/cancel.js';
import type { Clock } from '../ports/clock.js';
import { type Outcome, outOfTime } from './outcome.js';

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

/** One attempt of a tool or agent under way. */
export class Execution {
  private readonly parts: ExecutionParts;
  private isOver = false;
  private isOutOfTime = false;
  private takeBackTimeout: (() => void) | undefined;
  private takeBackAbandon: (() => void) | undefined;

  constructor(parts: ExecutionParts) {
    this.parts = parts;
    const { clock, timeoutMs } = parts;
    if (timeoutMs !== undefined) this.takeBackTimeout = clock.at(clock.now() + timeoutMs, () => this.expire());
  }

  /** Apart from making it, so that whoever made it knows it before it has anything to say. */
  begin(): void {
    const { work, cancel, fault } = this.parts;
    work(cancel.signal).then(
      (outcome) => this.end(outcome),
      (thrown) => {
        if (!this.isOver) fault(thrown);
      },
    );
  }

  /** False once it has ended or was given up. */
  get isUnderWay(): boolean {
    return !this.isOver;
  }

  /** Tells it to end, and gives it up if it does not within ten seconds. */
  stop(): void {
    const { cancel, clock } = this.parts;
    cancel.cancel();
    this.takeBackAbandon?.();
    this.takeBackAbandon = clock.at(clock.now() + ABANDON_AFTER_MS, () => this.giveUp());
  }

  /** Goes on without it at once. */
  giveUp(): void {
    this.end({ kind: 'cancelled' });
  }

  private expire(): void {
    this.isOutOfTime = true;
    this.stop();
  }

  private end(outcome: Outcome): void {
    if (this.isOver) return;
    this.isOver = true;
    this.takeBackTimeout?.();
    this.takeBackAbandon?.();
    this.parts.ended(this.isOutOfTime ? outOfTime(this.parts.timeoutMs!) : outcome);
  }
}
