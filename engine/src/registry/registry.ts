import type { Evaluated } from '../expression/evaluate.js';
import type { Json, JsonObject } from '../json.js';
import type { AgentInvoker } from '../ports/agent-invoker.js';
import type { CallContext } from '../ports/call-context.js';
import type { Approval } from './approval.js';
import type { PolicyTarget, Proposal, ToolDef } from './tool-def.js';
import type { ToolError } from './tool-error.js';

/** One call of a tool, by a tool node or by a model. */
export interface ToolCall {
  readonly tool: string;
  readonly caller: 'node' | 'agent';
  /** Tool ids that the caller holds. A tool node holds the one that it names. */
  readonly granted: readonly string[];
  /** What a model supplied; empty for a tool node. */
  readonly modelArgs: JsonObject;
  /** Values of `input_mapping`; a name whose expression gave `undefined` is left out by the caller. */
  readonly mapped: JsonObject;
  /** Names of `input_mapping`, those that were left out among them: none is the model's to give. */
  readonly mappedNames?: readonly string[];
  /** `tool_config`: wins over the others. */
  readonly config: JsonObject;
  /** True where a model provider says that it has run the tool itself: such a call is refused. */
  readonly providerExecuted?: boolean;
  /** A person approved, in this run and at a gate that names this node, what is about to be committed. */
  readonly gateApproved?: boolean | undefined;
  /** Agent nodes that the caller may invoke. */
  readonly invokes?: readonly string[] | undefined;
  /** Evaluates `output_mapping` on the full result; absent: the result itself. */
  readonly mapOutput?: ((result: Json) => Evaluated) | undefined;
  /** Asks a person before a governed call; absent: nobody wants to be asked. */
  readonly approval?: Approval | undefined;
  /** Runs the agents that the caller may invoke. */
  readonly agents?: AgentInvoker | undefined;
  readonly context: CallContext;
}

export type ToolOutcome =
  | {
      readonly ok: true;
      /** Full result, or the mapped object. */
      readonly output: Json;
      /** Bounded preview for people: masked, at most 500 characters. */
      readonly summary: string;
      /** What a model is handed; calls by agents only. */
      readonly modelCopy?: string;
    }
  | { readonly ok: false; readonly error: ToolError };

/** The answer to "would this call be allowed?". */
export interface ToolDecision {
  readonly decision: 'allow' | 'deny' | 'error';
  readonly code?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly target?: PolicyTarget;
  readonly details?: JsonObject;
}

/** The one door to tools. */
export interface Registry {
  readonly tools: readonly ToolDef[];
  /** By exact id. */
  find(id: string): ToolDef | undefined;
  dispatch(call: ToolCall): Promise<ToolOutcome>;
  /** Steps before approval: nothing is done. */
  check(call: Omit<ToolCall, 'mapOutput'>): Promise<ToolDecision>;
  /** What a call that a person has yet to approve would do; undefined for tools that do not say. Nothing is done. */
  propose(
    call: Omit<ToolCall, 'mapOutput'>,
  ): Promise<{ readonly ok: true; readonly proposal: Proposal } | Extract<ToolOutcome, { ok: false }> | undefined>;
  /** A name that a model made up, as it may be shown: masked, at most 100 characters. */
  shownName(name: string): string;
  /** Arguments as an event may show them: masked, at most 2 KB. Where a model gave a value for what is fixed, its own. */
  preview(call: Pick<ToolCall, 'modelArgs' | 'mapped' | 'config'>): string;
}
