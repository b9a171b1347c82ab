import type { ErrorInfo } from '@relavium/schemas';

/** What went wrong in a node, as `run.errors["id"]` and the events show it. */
export type NodeError = ErrorInfo;
