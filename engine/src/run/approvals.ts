import { type Evaluated, evaluate } from '../expression/evaluate.js';
import type { Expression } from '../expression/expression.js';
import type { GateNodePlan, ToolNodePlan } from '../plan/plan.js';
import type { ExpressionVm } from '../ports/expression-vm.js';
import type { Registry, ToolCall } from '../registry/registry.js';
import type { NodeRef } from './apply.js';
import { evaluateMapping } from './mapping.js';
import type { Answer } from './messages.js';
import { type RunState, type ScopeState, scopeAt } from './run-state.js';
import { scopeOf } from './scope.js';

/** What a registry says to a call that a person has yet to approve. */
export type Propose = (call: Omit<ToolCall, 'context' | 'mapOutput'>) => ReturnType<Registry['propose']>;

/**
 * What a person must see who is asked by this gate: what each node that the gate approves would do now. `undefined`: there is nothing
 * to be seen beside the gate's own message.
 */
export async function proposalAt(
  state: RunState,
  gate: NodeRef,
  vm: ExpressionVm,
  propose: Propose,
): Promise<{ readonly ok: true; readonly seal: string; readonly text: string } | Extract<Answer, { ok: false }> | undefined> {
  const scope = scopeAt(state, gate.scope)!;
  const { approves } = scope.plan.nodes[gate.index] as GateNodePlan;
  let found: { readonly ok: true; readonly seal: string; readonly text: string } | undefined;
  for (const node of scope.plan.nodes) {
    if (node.type !== 'tool' || !approves.includes(node.id)) continue;
    const mapped = evaluateMapping(node.inputMapping, (expression) => evaluateAt(state, gate, expression, vm));
    if (!mapped.ok) {
      const message = `what "${node.id}" would do must be known when a person is asked: ${mapped.error.message}`;
      return { ok: false, code: 'expression_error', message, details: { reason: mapped.error.reason } };
    }
    const answer = await propose({
      tool: node.tool,
      caller: 'node',
      granted: [node.tool],
      modelArgs: {},
      mapped: mapped.values,
      config: node.config,
    });
    if (answer === undefined) continue;
    if (!answer.ok) return { ok: false, ...answer.error };
    if (found !== undefined) {
      const message = 'a gate approves one commit, since the second would begin where the first has ended; give each a gate of its own';
      return { ok: false, code: 'validation', message, details: { node: node.id } };
    }
    found = { ok: true, seal: answer.proposal.seal, text: answer.proposal.text };
  }
  return found;
}

/**
 * From where the gate stands: a node that has not surely ended when the gate opens cannot be read, so the same expression gives the same
 * value when the approved node runs.
 */
function evaluateAt(state: RunState, gate: NodeRef, expression: Expression, vm: ExpressionVm): Evaluated {
  return evaluate(expression, scopeOf(state, gate, { reader: EVERY_READ_IS_CHECKED }), vm);
}

const EVERY_READ_IS_CHECKED = { reads: [{ root: 'run', path: [], computed: true, start: 0, end: 0 }] };

/**
 * Has a person, in this run, approved what the node does? Compile has made sure that one of the gates that name it lies on every way to
 * it; all of them that were reached must have been approved, and by somebody, not by time.
 */
export function approvalOf(scope: ScopeState, node: ToolNodePlan): { readonly gateApproved: boolean; readonly approvedTree?: string } {
  let approvedTree: string | undefined;
  let gates = 0;
  for (const gate of scope.plan.nodes) {
    if (gate.type !== 'human_gate' || !gate.approves.includes(node.id)) continue;
    const { status, output } = scope.nodes.get(gate.index);
    if (status === 'skipped') continue;
    const record = (status === 'succeeded' ? output : {}) as { readonly decision?: string; readonly by?: string; readonly tree?: string };
    if (record.decision === undefined || record.decision === 'rejected' || record.by === BY_TIME) return { gateApproved: false };
    gates++;
    approvedTree = record.tree;
  }
  return { gateApproved: gates > 0, ...(approvedTree === undefined ? {} : { approvedTree }) };
}

/** Who has decided a gate whose time was up. */
export const BY_TIME = 'timeout';
