import type PQueue from 'p-queue';
import type { CancelSignal } from '../ports/cancel.js';

/** The place of one execution among those in flight. Whoever waits for a person gives it up, and stands in line for another one after. */
export class Slot {
  private readonly queue: PQueue;
  private giveBack: (() => void) | undefined;
  private isOver = false;

  constructor(queue: PQueue, giveBack: () => void) {
    this.queue = queue;
    this.giveBack = giveBack;
  }

  /** What is cancelled meanwhile needs no place to end in. */
  async without<T>(signal: CancelSignal, wait: () => Promise<T>): Promise<T> {
    this.free();
    const result = await wait();
    if (!signal.aborted) await this.standInLine();
    return result;
  }

  /** The execution is over: what it holds, and what it may still be given, goes back. */
  end(): void {
    this.isOver = true;
    this.free();
  }

  private free(): void {
    const { giveBack } = this;
    this.giveBack = undefined;
    giveBack?.();
  }

  private standInLine(): Promise<void> {
    return new Promise((resolve) => {
      void this.queue.add(
        () =>
          new Promise<void>((giveBack) => {
            if (this.isOver || this.giveBack !== undefined) giveBack();
            else this.giveBack = giveBack;
            resolve();
          }),
      );
    });
  }
}
