import type { CancelSignal } from './cancel.js';

/** What a host is told about the call that it serves. */
export interface CallContext {
  /** Path of the node that calls, such as `build` or `each[2].read`. */
  readonly node: string;
  /** Attempt of that node, from 1. */
  readonly attempt: number;
  readonly signal: CancelSignal;
  /** Receives output of long calls while it comes, already decoded; never needed for the result. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
}
