import type { GateDecision } from '../events/run-event.js';
import type { GateNodePlan } from '../plan/plan.js';
import { BY_TIME } from './approvals.js';
import { finish } from './finish.js';
import { isoInstant } from './instant.js';
import { emit, type NodeView, type Step, view } from './step.js';

/** A gate's message is known: it waits for a person, or for its deadline. */
export function openGate(step: Step, node: NodeView, message: string, tree?: string): void {
  const plan = node.plan as GateNodePlan;
  const deadline = plan.timeoutMs === undefined ? undefined : step.at + plan.timeoutMs;
  emit(step, {
    type: 'gate:opened',
    node: node.path,
    gateType: plan.gateType,
    message,
    ...(plan.assignee === undefined ? {} : { assignee: plan.assignee }),
    ...(deadline === undefined ? {} : { deadline: isoInstant(deadline) }),
    ...(tree === undefined ? {} : { tree }),
  });
  emit(step, { type: 'node:waiting', node: node.path, ...(deadline === undefined ? {} : { until: isoInstant(deadline) }) });
  if (deadline !== undefined) step.commands.push({ type: 'timer', key: node.path, at: deadline });
}

/** A decision about a gate that does not wait any more changes nothing. */
export function decideGate(step: Step, node: NodeView | undefined, { tree: _, ...said }: GateDecision): void {
  if (node === undefined || node.state.status !== 'waiting' || node.state.waitsFor !== 'gate') return;
  // What was seen is what the gate showed, whoever decides.
  const { tree } = node.state;
  const decision: GateDecision = { ...said, ...(tree === undefined ? {} : { tree }) };
  emit(step, { type: 'gate:decided', node: node.path, ...decision });
  const record = { ...decision, at: step.ts };
  const decided = view(step, node);
  if (decision.decision === 'rejected') {
    const message = `${decision.by} rejected it${decision.comment === undefined ? '' : `: ${decision.comment}`}`;
    return finish(step, decided, decided.state.attempt, { kind: 'failed', code: 'gate_rejected', message, details: record });
  }
  finish(step, decided, decided.state.attempt, { kind: 'succeeded', output: record });
}

/** Nobody decided in time. */
export function decideByTimeout(step: Step, node: NodeView): void {
  const { timeoutAction } = node.plan as GateNodePlan;
  decideGate(step, node, { decision: timeoutAction === 'approve' ? 'approved' : 'rejected', by: BY_TIME });
}
