import { CLEANUP_TIMEOUT, RUN_TIMEOUT, wholeTimeout } from './messages.js';
import { isContainer, isEnded, type StopReason, type StopRunReason } from './run-state.js';
import { skip } from './skip.js';
import { emit, type NodeView, type Step, view } from './step.js';

/**
 * Stops what has begun in a scope: running nodes are told to end, waiting ones are cancelled, ready ones skipped. Pending nodes are left
 * to their in-edges, since what they wait for may still make handlers of them.
 */
export function stopNodes(step: Step, scope: string, reason: StopReason, which: 'all' | 'not_handlers'): void {
  const { nodes } = step.draft.scope(scope).plan;
  for (const { index } of nodes) {
    if (!step.draft.isOpen(scope)) return;
    const node = view(step, { scope, index });
    if (which === 'not_handlers' && node.state.handler) continue;
    stopNode(step, node, reason);
  }
}

/** The nodes that lost a race: none of them starts any more. */
export function stopLosers(step: Step, scope: string, region: readonly number[]): void {
  for (const index of region) {
    const node = view(step, { scope, index });
    if (node.state.status === 'pending') skip(step, node, { reason: 'lost_race' });
    else stopNode(step, node, 'lost_race');
  }
}

/** Ends the run: `final` also ends what cleans up after it. */
export function stopRun(step: Step, reason: StopRunReason, final = false): void {
  const { stopping } = step.draft.head;
  if (stopping !== undefined && (stopping.final || !final)) return;
  emit(step, { type: 'run:stopping', reason, final });
  step.commands.push(
    { type: 'clear', key: RUN_TIMEOUT },
    final ? { type: 'clear', key: CLEANUP_TIMEOUT } : { type: 'timer', key: CLEANUP_TIMEOUT, at: step.at + step.plan.cleanupTimeoutMs },
  );
  stopNodes(step, '', 'run_cancelled', 'all');
}

/** Stops a container as a whole: it ends when what is in it has ended. */
export function stopContainer(step: Step, node: NodeView, reason: StopReason): void {
  if (node.plan.timeoutMs !== undefined) step.commands.push({ type: 'clear', key: wholeTimeout(node.path) });
  emit(step, { type: 'node:stopping', node: node.path, reason });
  stopInside(step, node, reason);
}

/** Handlers in a container that a failure beside it stops still finish; a cancel, a lost race and a limit of its own spare nobody. */
function stopInside(step: Step, node: NodeView, reason: StopReason): void {
  const spares = reason === 'run_failed' || reason === 'item_failed' ? 'not_handlers' : 'all';
  const inside = reason === 'timeout' ? 'run_failed' : reason;
  for (const scope of step.draft.innerPaths(node.scope, node.index)) stopNodes(step, scope, inside, spares);
}

function stopNode(step: Step, node: NodeView, reason: StopReason): void {
  const { status, waitsFor, stopping } = node.state;
  if (isEnded(status) || status === 'pending') return;
  if (status === 'ready') return skip(step, node, { reason: reason === 'lost_race' || reason === 'run_cancelled' ? reason : 'run_failed' });
  const isContainerRunning = isContainer(node.plan.type) && (status === 'running' || waitsFor === 'inner');
  if (stopping !== undefined) {
    // Told before. A run that is out of patience tells what is inside once more, for what has started there since.
    if (isContainerRunning) stopInside(step, node, reason);
    return;
  }
  if (isContainerRunning) return stopContainer(step, node, reason);
  emit(step, { type: 'node:stopping', node: node.path, reason });
  if (status === 'running') step.commands.push({ type: 'cancel', node: node.path });
}
