import type { Note } from '../events/run-event.js';
import type { Evaluated } from '../expression/evaluate.js';
import type { Expression } from '../expression/expression.js';
import type { ToolNodePlan } from '../plan/plan.js';
import type { CallContext } from '../ports/call-context.js';
import type { ExpressionVm } from '../ports/expression-vm.js';
import type { Registry, ToolCall } from '../registry/registry.js';
import { checkValue } from '../validate/check-value.js';
import type { NodeRef } from './apply.js';
import { approvalOf } from './approvals.js';
import { evaluateMapping, mapResult } from './mapping.js';
import { failed, type Outcome } from './outcome.js';
import { type RunState, scopeAt } from './run-state.js';
import { type ExtraNames, evaluateIn } from './scope.js';

/** The one call of an attempt of a tool node. */
export type NodeCall = CallContext & { readonly callId: string };

export interface ToolExecution {
  readonly registry: Registry;
  readonly vm: ExpressionVm;
  readonly call: NodeCall;
  readonly now: () => number;
  readonly note: (note: Note) => void;
  readonly services: Pick<ToolCall, 'approval' | 'agents'>;
}

/** One attempt of a tool node: its mappings are evaluated on what the run knows now, and the registry does the rest. */
export async function executeTool(state: RunState, ref: NodeRef, node: ToolNodePlan, execution: ToolExecution): Promise<Outcome> {
  const { registry, vm, call, services } = execution;
  const mapping = node.outputMapping;
  const text = (expression: Expression, names: ExtraNames = []): Evaluated => evaluateIn(state, ref, expression, vm, names);
  const mapped = evaluateMapping(node.inputMapping, (expression) => text(expression));
  if (!mapped.ok) return failed('expression_error', mapped.error.message, { reason: mapped.error.reason });

  const policy = registry.find(node.tool)?.policy;
  const { gateApproved, approvedTree } = policy === 'gate' ? approvalOf(scopeAt(state, ref.scope)!, node) : NOT_GATED;
  const { callId } = call;
  const { node_id: invoked } = node.config;
  // One literal: put together from several objects it would cost as much as the call itself.
  const request: ToolCall = {
    tool: node.tool,
    caller: 'node',
    granted: [node.tool],
    modelArgs: NOTHING,
    mapped: mapped.values,
    config: node.config,
    context: approvedTree === undefined ? call : { ...call, approvedTree },
    approval: services.approval,
    agents: policy === 'engine' ? services.agents : undefined,
    // The author has written which one.
    invokes: typeof invoked === 'string' ? [invoked] : undefined,
    gateApproved,
    mapOutput: mapping === undefined ? undefined : (result) => mapResult(mapping, result, text),
  };
  execution.note({ type: 'tool:call', node: call.node, callId, tool: node.tool, toolInput: registry.preview(request) });
  const before = execution.now();
  const outcome = await registry.dispatch(request);
  const durationMs = execution.now() - before;
  const outputSummary = outcome.ok ? outcome.summary : outcome.error.message;
  execution.note({ type: 'tool:result', node: call.node, callId, ok: outcome.ok, outputSummary, durationMs });

  if (!outcome.ok) return outcome.error.code === 'cancelled' ? { kind: 'cancelled' } : { kind: 'failed', ...outcome.error };
  if (node.outputSchema === undefined) return { kind: 'succeeded', output: outcome.output };
  const problems = checkValue(node.outputSchema, outcome.output);
  if (problems.length === 0) return { kind: 'succeeded', output: outcome.output };
  return failed('output_invalid', `the output does not meet output_schema: ${problems.join('; ')}`, { problems });
}

const NOTHING = {};
const NOT_GATED: Partial<ReturnType<typeof approvalOf>> = {};
