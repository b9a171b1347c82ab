import type { Json } from '../json.js';

/** What went wrong in a node, as `run.errors["id"]` and the events show it. */
export interface NodeError {
  /** One of the run-time codes, or `user.<code>` of a `fail` node. */
  readonly code: string;
  readonly message: string;
  /** Id of the node in whose scope the error is read. */
  readonly node: string;
  /** Path of the node that it came from, such as `each[2].step` or `child/step`. */
  readonly path: string;
  readonly details: { readonly [key: string]: Json };
  readonly attempt: number;
}
