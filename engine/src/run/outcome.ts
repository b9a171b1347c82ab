import type { Json, JsonObject } from '../json.js';

/** How one attempt of a node ended. */
export type Outcome =
  | {
      readonly kind: 'succeeded';
      readonly output: Json;
      /** Handle of a condition's branch. */
      readonly selected?: string;
      /** Of an agent: what `output_mapping` took from its calls. */
      readonly captured?: JsonObject;
    }
  | ({ readonly kind: 'failed' } & Failure)
  | { readonly kind: 'cancelled' };

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details: JsonObject;
  /** Path of the node that it came from, where that is another one. */
  readonly path?: string;
  /** What a server asked to be given before the next try. */
  readonly retryAfterMs?: number;
}

export function outOfTime(timeoutMs: number): Outcome {
  return failed('timeout', `not done within ${timeoutMs} ms`, { timeoutMs });
}

export function failed(code: string, message: string, details: JsonObject = {}): Outcome {
  return { kind: 'failed', code, message, details };
}
