import type { Note } from '../events/run-event.js';
import type { Evaluated } from '../expression/evaluate.js';
import type { Json, JsonObject } from '../json.js';
import { misfit } from '../json-limits.js';
import { clip } from '../masking/clip.js';
import { preview } from '../masking/preview.js';
import type { AgentInvoker } from '../ports/agent-invoker.js';
import type { CallContext } from '../ports/call-context.js';
import type { Clock } from '../ports/clock.js';
import type { ToolCallPart, ToolResultPart } from '../ports/language-model.js';
import type { Approval } from '../registry/approval.js';
import type { Registry, ToolCall, ToolOutcome } from '../registry/registry.js';

import type { ToolError } from '../registry/tool-error.js';
import type { Failure } from '../run/outcome.js';
import { delimited } from './untrusted.js';

/** What an agent may call, and how. */
export interface Calling {
  readonly registry: Registry;
  /** Tool ids. */
  readonly granted: readonly string[];
  readonly invokes: readonly string[];
  /** What the author fixes about calls of a tool. */
  readonly fixed: ReadonlyMap<string, FixedArguments>;
  readonly context: CallContext;
  readonly runId: string;
  readonly clock: Clock;
  readonly note: (note: Note) => void;
  readonly approval?: Approval | undefined;
  readonly agents: AgentInvoker;
  /** Id of the agent's node. */
  readonly nodeId: string;
  /** Id of the call by which this agent was invoked. */
  readonly parent?: string;
}

export interface FixedArguments {
  readonly config: JsonObject;
  readonly mapped: JsonObject;
  readonly mappedNames: readonly string[];
  /** Evaluates `output_mapping` on a result: an object. */
  readonly capture?: (result: Json) => Evaluated;
}

export interface CallsMade {
  /** One for each call, in their order; shorter where a call ended the node. */
  readonly results: readonly ToolResultPart[];
  /** What `output_mapping` took from the results; of two values with one name, that of the later call. */
  readonly captured?: JsonObject;
  /** The first error from which the model can learn, and which counts against it. */
  readonly correctable?: ToolError;
  /** The error that ends the node. */
  readonly fatal?: ToolError;
  readonly isCancelled: boolean;
}

const CORRECTABLE: ReadonlySet<ToolError['code']> = new Set(['unknown_tool', 'invalid_args', 'tool_denied']);
/** What a tool itself says of its work goes back to the model and is no fault of the model. */
const TOLD: ReadonlySet<ToolError['code']> = new Set(['tool_failed', 'timeout', 'recursion_limit']);

/**
 * Makes the calls of one answer; `first` is the number of the first of them in this attempt, from 1. Neighbours that only read run
 * together. Events and results keep the order of the calls, however long each takes.
 */
export async function makeCalls(calls: readonly ToolCallPart[], first: number, calling: Calling): Promise<CallsMade> {
  const results: ToolResultPart[] = [];
  let captured: JsonObject | undefined;
  let correctable: ToolError | undefined;
  for (const group of groups(calls, calling.registry)) {
    const made = await Promise.all(group.map(({ call, index }) => makeCall(call, first + index, calling)));
    for (const { call, number, callId, outcome, durationMs, isMapped } of made) {
      noteResult(calling, callId, outcome, durationMs);
      if (outcome.ok) {
        if (isMapped) captured = { ...captured, ...(outcome.output as JsonObject) };
        results.push(resultPart(call, number, outcome.modelCopy ?? '', false, calling));
        continue;
      }
      const { error } = outcome;
      if (error.code === 'cancelled') return { results, isCancelled: true };
      if (CORRECTABLE.has(error.code)) correctable ??= error;
      else if (!TOLD.has(error.code)) return { results, fatal: error, isCancelled: false };
      results.push(resultPart(call, number, `${error.code}: ${error.message}`, true, calling));
    }
  }
  return {
    results,
    isCancelled: false,
    ...(captured === undefined ? {} : { captured }),
    ...(correctable === undefined ? {} : { correctable }),
  };
}

export function asFailure({ code, message, details }: ToolError): Failure {
  return { code, message, details };
}

interface Placed {
  readonly call: ToolCallPart;
  readonly index: number;
}

/** An invoked agent runs on its caller's slot, so only one does at a time. */
function groups(calls: readonly ToolCallPart[], registry: Registry): readonly (readonly Placed[])[] {
  const onlyReads = ({ name }: ToolCallPart): boolean => {
    const tool = registry.find(name);
    return tool?.effect === 'none' && tool.policy !== 'engine';
  };
  const all: Placed[][] = [];
  calls.forEach((call, index) => {
    const last = all.at(-1);
    const joins = last?.[0] !== undefined && onlyReads(last[0].call) && onlyReads(call);
    if (joins) last.push({ call, index });
    else all.push([{ call, index }]);
  });
  return all;
}

interface Made {
  readonly call: ToolCallPart;
  readonly number: number;
  readonly callId: string;
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
  /** The outcome's output is what `output_mapping` made of it. */
  readonly isMapped: boolean;
}

async function makeCall(call: ToolCallPart, number: number, calling: Calling): Promise<Made> {
  const { registry, clock, note, context, parent } = calling;
  const callId = `${context.node}#${context.attempt}.${number}`;
  const given = argumentsOf(call);
  const { config, mapped, mappedNames, capture } = calling.fixed.get(call.name) ?? NOTHING_FIXED;
  const tool = nameOf(call, registry);
  const request: ToolCall = {
    tool,
    caller: 'agent',
    granted: calling.granted,
    invokes: calling.invokes,
    agents: calling.agents,
    approval: calling.approval,
    modelArgs: typeof given === 'string' ? {} : given,
    mapped,
    mappedNames,
    config,
    context: { ...context, call: number, callId },
    ...(call.providerExecuted === true ? { providerExecuted: true } : {}),
    ...(capture === undefined ? {} : { mapOutput: capture }),
  };
  const toolInput = typeof given === 'string' ? preview(call.arguments, MAX_SHOWN) : registry.preview(request);
  note({ type: 'agent:tool_call', node: context.node, callId, tool, toolInput, ...(parent === undefined ? {} : { parent }) });
  const before = clock.now();
  const outcome: ToolOutcome = typeof given === 'string' ? { ok: false, error: incomplete(tool, given) } : await registry.dispatch(request);
  return { call, number, callId, outcome, durationMs: clock.now() - before, isMapped: capture !== undefined };
}

const NOTHING_FIXED: FixedArguments = { config: {}, mapped: {}, mappedNames: [] };
const MAX_SHOWN = 2_048;

/** A model may ask for a tool by any name at all; one that there is not is never told as it came. */
function nameOf({ name }: ToolCallPart, registry: Registry): string {
  return registry.find(name) === undefined ? registry.shownName(name) : name;
}

/** Providers send no arguments as an empty text. A text instead: what is wrong with them. */
function argumentsOf({ arguments: text, isCutOff }: ToolCallPart): JsonObject | string {
  if (isCutOff === true) return NO_OBJECT;
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as Json;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return NO_OBJECT;
    return misfit(value) ?? (value as JsonObject);
  } catch {
    return NO_OBJECT;
  }
}

const NO_OBJECT = 'not one complete JSON object';

function incomplete(tool: string, why: string): ToolError {
  return { code: 'invalid_args', message: `${tool}: the arguments are ${why}; nothing was done`, details: { reason: 'not_json' } };
}

function noteResult({ note, context, nodeId }: Calling, callId: string, outcome: ToolOutcome, durationMs: number): void {
  const outputSummary = outcome.ok ? outcome.summary : clip(outcome.error.message, 500);
  const error = outcome.ok
    ? {}
    : {
        error: {
          code: outcome.error.code,
          message: outcome.error.message,
          node: nodeId,
          path: context.node,
          details: outcome.error.details,
          attempt: context.attempt,
        },
      };
  note({ type: 'agent:tool_result', node: context.node, callId, ok: outcome.ok, outputSummary, durationMs, ...error });
}

/** What a tool says of its failure is as little to be trusted as its result. */
function resultPart(call: ToolCallPart, number: number, text: string, isError: boolean, { runId, registry }: Calling): ToolResultPart {
  const what = isError ? 'error' : 'result';
  return { id: call.id, name: call.name, text: delimited(text, { what, tool: nameOf(call, registry), call: number, runId }), isError };
}
