import type { RunResult } from '@relavium/engine';

/** How the items of a batch have ended so far. */
export interface Tally {
  readonly begun: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  /** By the code of the error, in the order in which the codes came. */
  readonly failures: ReadonlyMap<string, FailureGroup>;
}

export interface FailureGroup {
  readonly count: number;
  /** The first one that ended so: the position of its item, and what was said. */
  readonly index: number;
  readonly message: string;
}

export interface RunningTally extends Tally {
  begin(): void;
  end(status: Exclude<RunResult['status'], 'waiting'>, index: number, error?: { readonly code: string; readonly message: string }): void;
}

export function createTally(): RunningTally {
  let begun = 0;
  const ended = { succeeded: 0, failed: 0, cancelled: 0 };
  const failures = new Map<string, FailureGroup>();
  return {
    get begun(): number {
      return begun;
    },
    get succeeded(): number {
      return ended.succeeded;
    },
    get failed(): number {
      return ended.failed;
    },
    get cancelled(): number {
      return ended.cancelled;
    },
    failures,
    begin() {
      begun++;
    },
    end(status, index, error) {
      ended[status]++;
      if (status !== 'failed' || error === undefined) return;
      const group = failures.get(error.code);
      failures.set(error.code, group === undefined ? { count: 1, index, message: error.message } : { ...group, count: group.count + 1 });
    },
  };
}
