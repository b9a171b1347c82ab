import type { Json } from '../json.js';
import type { JsonObject } from '../registry/tool-def.js';
import type { NodeError } from '../run/node-error.js';
import type { SkipReason, StopReason, StopRunReason } from '../run/run-state.js';

/** What a run does, in order. The envelope's `seq` counts from 0 without a gap; events that are streamed and not stored have none. */
export type RunEvent = Envelope & RunEventPayload;
export type StreamedEvent = Omit<Envelope, 'seq'> & StreamedPayload;

export interface Envelope {
  readonly seq: number;
  /** ISO instant. */
  readonly ts: string;
  readonly runId: string;
}

export type RunEventPayload =
  | { readonly type: 'run:started'; readonly workflowId: string; readonly workflowHash?: string; readonly inputs: JsonObject; readonly trigger: Json }
  | { readonly type: 'run:waiting' }
  | { readonly type: 'run:resumed' }
  | { readonly type: 'run:stopping'; readonly reason: StopRunReason; readonly final: boolean }
  | { readonly type: 'run:succeeded'; readonly outputs: JsonObject; readonly durationMs: number }
  | { readonly type: 'run:failed'; readonly error: NodeError; readonly outputs: JsonObject; readonly durationMs: number }
  | { readonly type: 'run:cancelled'; readonly outputs: JsonObject; readonly durationMs: number }
  | NodeStarted
  | NodeSucceeded
  | NodeFailed
  | { readonly type: 'node:retrying'; readonly node: string; readonly error: NodeError; readonly attempt: number; readonly delayMs: number; readonly until: string }
  | { readonly type: 'node:waiting'; readonly node: string; readonly until?: string }
  | { readonly type: 'node:stopping'; readonly node: string; readonly reason: StopReason }
  | NodeSkipped
  | { readonly type: 'node:cancelled'; readonly node: string; readonly reason: StopReason }
  | { readonly type: 'loop:item_started'; readonly node: string; readonly index: number }
  | LoopItemCompleted
  | { readonly type: 'loop:exhausted'; readonly node: string }
  | {
      readonly type: 'gate:opened';
      readonly node: string;
      readonly gateType: 'approval' | 'input' | 'review';
      readonly message: string;
      readonly assignee?: string;
      readonly deadline?: string;
    }
  | ({ readonly type: 'gate:decided'; readonly node: string } & GateDecision)
  | ToolNote
  | { readonly type: 'log'; readonly level: 'info' | 'warning'; readonly message: string; readonly node?: string };

export interface NodeStarted {
  readonly type: 'node:started';
  readonly node: string;
  readonly nodeType: string;
  readonly attempt: number;
  /** Of a loop: the list that `for_each` gave, and `initial`. */
  readonly loop?: { readonly items?: readonly Json[]; readonly initial?: Json };
  /** Of a child workflow: what it was given. */
  readonly child?: { readonly inputs: JsonObject; readonly context: JsonObject };
}

export interface NodeSucceeded {
  readonly type: 'node:succeeded';
  readonly node: string;
  readonly output: Json;
  readonly durationMs: number;
  /** Handle of the branch that a condition took. */
  readonly selected?: string;
  readonly edges?: EdgeVerdicts;
}

export interface NodeFailed {
  readonly type: 'node:failed';
  readonly node: string;
  readonly error: NodeError;
  /** Whether an error edge, `continue_on_error` or a lost race takes care of it. */
  readonly handled: boolean;
  readonly durationMs: number;
  readonly edges?: EdgeVerdicts;
}

/** What the conditions of a node's out-edges said. */
export interface EdgeVerdicts {
  /** By position in the node's list of out-edges. */
  readonly conditions: { readonly [position: string]: boolean };
  /** A condition that could not be evaluated: its edge is dead and the run fails with this. */
  readonly error?: NodeError;
}

export interface NodeSkipped {
  readonly type: 'node:skipped';
  readonly node: string;
  readonly reason: SkipReason;
  /** The text that said no, and what it saw. */
  readonly condition?: { readonly text: string; readonly values: JsonObject };
  /** The node whose end decided it. */
  readonly upstream?: string;
}

export interface LoopItemCompleted {
  readonly type: 'loop:item_completed';
  readonly node: string;
  readonly index: number;
  readonly ok: boolean;
  readonly value?: Json;
  readonly error?: NodeError;
  /** `until` came true. */
  readonly done?: boolean;
}

export interface GateDecision {
  readonly decision: 'approved' | 'rejected' | 'input_provided';
  /** Who decided; `timeout` when nobody did in time. */
  readonly by: string;
  readonly payload?: Json;
  readonly comment?: string;
}

/** Facts about a call that change no state. */
export type ToolNote =
  | { readonly type: 'tool:call'; readonly node: string; readonly callId: string; readonly tool: string; readonly toolInput: string }
  | {
      readonly type: 'tool:result';
      readonly node: string;
      readonly callId: string;
      readonly ok: boolean;
      readonly outputSummary: string;
      readonly durationMs: number;
    };

export type StreamedPayload = { readonly type: 'tool:output'; readonly node: string; readonly stream: 'stdout' | 'stderr'; readonly text: string };
