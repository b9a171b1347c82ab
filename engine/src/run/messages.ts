import type { EdgeVerdicts, GateDecision, Note, RunEvent } from '../events/run-event.js';
import type { Json, JsonObject } from '../json.js';

import type { Failure, Outcome } from './outcome.js';
import type { RunState } from './run-state.js';

/** What can happen to a run. `at` is the instant, in milliseconds since the epoch. */
export type Input = { readonly at: number } & (
  | { readonly type: 'begin' }
  /** A slot is free for the node. */
  | { readonly type: 'started'; readonly node: string }
  | ({ readonly type: 'completed'; readonly outcome: Outcome } & Attempt)
  | ({ readonly type: 'answered'; readonly question: Question; readonly answer: Answer } & Attempt)
  | ({ readonly type: 'verdicts'; readonly outcome: Outcome; readonly edges: EdgeVerdicts } & Attempt)
  | { readonly type: 'timer'; readonly key: string }
  | { readonly type: 'decided'; readonly node: string; readonly decision: GateDecision }
  | { readonly type: 'noted'; readonly note: Note }
  | { readonly type: 'cancel' }
);

/** One attempt of a node, apart from all others of the run: what comes back late for another one changes nothing. */
export interface Attempt {
  readonly node: string;
  readonly attempt: number;
  /** `ScopeState.since` of its scope: inside a loop or child that is tried again, attempts count from 1 once more. */
  readonly since: number;
}

/** What a run asks of its driver. */
export type Command =
  /** Wants a slot; `started` comes back when there is one. */
  | { readonly type: 'start'; readonly node: string }
  | ({ readonly type: 'execute' } & Attempt)
  /** Stops an execution; `completed` comes back all the same. */
  | { readonly type: 'cancel'; readonly node: string }
  | ({ readonly type: 'ask'; readonly question: Question } & Attempt)
  /** Conditions of out-edges; `verdicts` comes back with the same outcome. */
  | ({ readonly type: 'judge'; readonly outcome: Outcome; readonly positions: readonly number[] } & Attempt)
  | { readonly type: 'timer'; readonly key: string; readonly at: number }
  | { readonly type: 'clear'; readonly key: string };

/** What an evaluation is for. The node's plan says which expression it is. */
export type Question =
  | { readonly kind: 'if' }
  /** A transform's or condition's value, an output's, a fail's or gate's message, a wait's instant. */
  | { readonly kind: 'value' }
  | { readonly kind: 'merge'; readonly branches: readonly Json[] }
  /** A loop's list and first `prev`: `{items?, initial?}`. */
  | { readonly kind: 'loop' }
  | { readonly kind: 'while' }
  /** An iteration's value and whether `until` came true: `{value?, done}`. */
  | { readonly kind: 'item'; readonly index: number }
  /** A child's inputs and context: `{inputs, context}`. */
  | { readonly kind: 'child' }
  | { readonly kind: 'child_outputs'; readonly outputs: JsonObject };

export type Answer =
  | {
      readonly ok: true;
      readonly value: Json | undefined;
      /** What an `if` saw. */
      readonly seen?: JsonObject;
      /** Of a gate that approves a commit: the tree that its message shows. */
      readonly tree?: string;
    }
  | ({ readonly ok: false } & Failure);

export interface Transition {
  readonly state: RunState;
  readonly commands: readonly Command[];
  readonly events: readonly RunEvent[];
}

export const RUN_TIMEOUT = 'run:timeout';
export const CLEANUP_TIMEOUT = 'run:cleanup';

/** Key of the timer that bounds a loop or child as a whole; a node's other timer has its path as key. */
export function wholeTimeout(path: string): string {
  return `${path}#timeout`;
}
