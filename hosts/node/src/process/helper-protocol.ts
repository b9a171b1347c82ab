import type { ChildSpec } from './started-child.js';

/** What goes between a process that has grown large and the small one that starts programs for it. */
export type ToHelper = { readonly id: number; readonly spec: ChildSpec };

export type FromHelper =
  /** Connections are taken. */
  | { readonly type: 'up' }
  | { readonly type: 'started'; readonly id: number; readonly pid: number }
  /** `code` of the system. */
  | { readonly type: 'failed'; readonly id: number; readonly code: string }
  | { readonly type: 'exited'; readonly id: number; readonly code: number | null; readonly signal: NodeJS.Signals | null };
