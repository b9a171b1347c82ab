import type { MessagePort } from 'node:worker_threads';

/**
 * How the calling thread and the thread of the VM talk. They share memory and take turns: `state` says whose turn it is, and whoever
 * has it owns everything else. `inbox` carries text to the VM (source and data, or the answer to a question), `outbox` text from it.
 */
export interface SharedChannel {
  /** `CONTROL` says what stands where. */
  readonly control: Int32Array<SharedArrayBuffer>;
  /** The first inbox; one that is too small is replaced through `inboxes`, and `generation` counts up. */
  readonly inbox: SharedArrayBuffer;
  readonly outbox: SharedArrayBuffer;
}

/** What the thread is started with. */
export interface WorkerStart extends SharedChannel {
  readonly inboxes: MessagePort;
  /** The compiled `quickjs.wasm`. */
  readonly module: object;
}

/** Indexes in `control`. */
export const CONTROL = {
  state: 0,
  generation: 1,
  sourceBytes: 2,
  dataBytes: 3,
  outBytes: 4,
  reply: 5,
} as const;

export const CONTROL_BYTES: number = 6 * Int32Array.BYTES_PER_ELEMENT;

/** Values of `state`: the first three are the caller's turn, the others the VM's. */
export const STATE = {
  starting: 0,
  ready: 1,
  asking: 2,
  failed: 3,
  evaluate: 4,
  answered: 5,
} as const;

/** Values of `reply` below those of `FAILURES`. */
export const REPLY = { nothing: 0, text: 1, failure: 2 } as const;

/** `reply` is `REPLY.failure` and the index of the reason. */
export const FAILURES = ['syntax', 'runtime', 'result_type', 'memory', 'stack', 'budget', 'timeout'] as const;

export const INBOX_BYTES: number = 256 * 1024;

/** The largest result, with room for a message or a question. */
export const OUTBOX_BYTES: number = 4 * 1024 * 1024 + 64 * 1024;
