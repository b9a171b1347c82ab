import type { Json, JsonObject } from '../json.js';
import type { CallContext } from '../ports/call-context.js';
import type { EffectClass } from './tool-def.js';
import type { ToolError } from './tool-error.js';

/** Writes down effects around the call, so that a crash in between is seen. Absent from a registry: nothing is written down. */
export interface EffectJournal {
  prepare(effect: PreparedEffect): Promise<EffectDecision>;
}

export interface PreparedEffect {
  readonly tool: string;
  readonly effect: EffectClass;
  readonly args: JsonObject;
  readonly context: CallContext;
}

export type EffectDecision =
  | { readonly kind: 'go'; settle(outcome: EffectOutcome): Promise<void> }
  /** The call was made before, and this is its result. */
  | { readonly kind: 'done'; readonly result: Json }
  /** Whether an earlier call happened is not known; a person must say. */
  | { readonly kind: 'attention'; readonly message: string };

export type EffectOutcome =
  | { readonly kind: 'committed'; readonly result: Json }
  | { readonly kind: 'failed'; readonly error: ToolError }
  /** No answer came: the effect may have happened. */
  | { readonly kind: 'ambiguous' };

/** Effects that need no memory: nothing happens, or repeating does no harm. */
export function needsJournal(effect: EffectClass): boolean {
  return effect === 'once' || effect === 'receipt';
}
