import type { RunEvent, RunEventPayload } from '../events/run-event.js';
import type { Plan, PlanNode } from '../plan/plan.js';
import { Draft, type NodeRef } from './apply.js';
import { isoInstant } from './instant.js';
import type { Command, Question } from './messages.js';
import { nodePath } from './node-path.js';
import type { NodeState, RunState, ScopeState } from './run-state.js';

/** One transition under way: what it has decided so far. */
export interface Step {
  readonly plan: Plan;
  readonly draft: Draft;
  readonly at: number;
  readonly ts: string;
  readonly events: RunEvent[];
  readonly commands: Command[];
}

export function newStep(plan: Plan, state: RunState, at: number): Step {
  return { plan, draft: new Draft(state), at, ts: isoInstant(at), events: [], commands: [] };
}

/** Writes an event and applies it. */
export function emit(step: Step, payload: RunEventPayload): void {
  const { seq, begin } = step.draft.head;
  const event: RunEvent = { seq, ts: step.ts, runId: begin.runId, ...payload };
  step.draft.apply(event);
  step.events.push(event);
}

/** A node in all its aspects. `state` is how it was when the view was taken; `in` is the scope as the step goes on. */
export interface NodeView extends NodeRef {
  readonly path: string;
  readonly plan: PlanNode;
  readonly state: NodeState;
  readonly in: ScopeState;
}

export function view(step: Step, ref: NodeRef): NodeView {
  const scope = step.draft.scope(ref.scope);
  const plan = scope.plan.nodes[ref.index]!;
  return { scope: ref.scope, index: ref.index, path: nodePath(ref.scope, plan.id), plan, state: scope.nodes.get(ref.index), in: scope };
}

/** The node of a path, or undefined when its scope has ended meanwhile, or is not the one that was opened at `since`. */
export function viewOf(step: Step, path: string, since?: number): NodeView | undefined {
  const node = step.draft.findOpen(path, (scope, index) => view(step, { scope: scope.path, index }));
  return since === undefined || node?.in.since === since ? node : undefined;
}

export function emitStarted(step: Step, node: NodeView): void {
  emit(step, { type: 'node:started', node: node.path, nodeType: node.plan.type, attempt: node.state.attempt + 1 });
}

/** Asks the driver to evaluate something for a node. The answer belongs to the attempt under way. */
export function ask(step: Step, node: NodeView, question: Question): void {
  step.commands.push({ type: 'ask', node: node.path, attempt: node.state.attempt, since: node.in.since, question });
}
