import type { JsonObject } from '../json.js';
import type { SubworkflowNodePlan } from '../plan/plan.js';

import { finish } from './finish.js';
import { failAtStart, startWholeTimer } from './loop.js';
import type { Answer } from './messages.js';
import { failed } from './outcome.js';
import { runOutputs } from './outputs.js';
import type { ScopeState } from './run-state.js';
import { ask, emit, emitStarted, type NodeView, type Step, view } from './step.js';

/** Child workflows inside one another, at most. */
const MAX_CHILD_DEPTH = 8;

/** A child's inputs are admitted and its context is resolved: it runs. */
export function startChild(step: Step, node: NodeView, answer: Answer): void {
  if (!answer.ok) return failAtStart(step, node, answer);
  if (node.in.depth >= MAX_CHILD_DEPTH) {
    emitStarted(step, node);
    const started = view(step, node);
    const message = `child workflows are ${MAX_CHILD_DEPTH} deep at most`;
    return finish(step, started, started.state.attempt, failed('recursion_limit', message, { depth: MAX_CHILD_DEPTH }));
  }
  const child = answer.value as { readonly inputs: JsonObject; readonly context: JsonObject };
  emit(step, { type: 'node:started', node: node.path, nodeType: 'subworkflow', attempt: node.state.attempt + 1, child });
  startWholeTimer(step, node);
}

/** All nodes of a child have ended. */
export function closeChild(step: Step, scope: ScopeState): void {
  const node = view(step, { scope: scope.parent!.scope, index: scope.parent!.node });
  const { attempt } = node.state;
  if (scope.error !== undefined) {
    const { code, message, details, path } = scope.error;
    return finish(step, node, attempt, { kind: 'failed', code, message, details, path });
  }
  if (scope.ending !== undefined) return finish(step, node, attempt, { kind: 'cancelled' });
  const outputs = runOutputs(scope);
  if ((node.plan as SubworkflowNodePlan).outputMapping === undefined)
    return finish(step, node, attempt, { kind: 'succeeded', output: outputs });
  ask(step, node, { kind: 'child_outputs', outputs });
}
