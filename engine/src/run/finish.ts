import type { EdgeVerdicts } from '../events/run-event.js';
import { catches } from './apply.js';
import { isoInstant } from './instant.js';
import { wholeTimeout } from './messages.js';
import type { NodeError } from './node-error.js';
import type { Failure, Outcome } from './outcome.js';
import { retryDelay } from './retry.js';
import { isContainer } from './run-state.js';
import { emit, type NodeView, type Step } from './step.js';
import { stopNodes } from './stop.js';

/** An attempt of a node is over: it is tried again, its edges are judged, or it ends. */
export function finish(step: Step, node: NodeView | undefined, attempt: number, outcome: Outcome): void {
  if (node === undefined || !isUnderWay(node, attempt)) return;
  if (node.state.stopping !== undefined) return endStopped(step, node);
  if (outcome.kind === 'failed' && mayRetry(step, node)) {
    const delay = retryDelay(step.draft.current.begin.runId, node, outcome);
    if (typeof delay === 'number') return retry(step, node, outcome, delay);
    if (delay !== undefined) return judge(step, node, { ...outcome, message: `${outcome.message} (${delay.refusal})` });
  }
  judge(step, node, outcome);
}

/** Ends a node, now that the conditions of its out-edges are known. */
export function settle(step: Step, node: NodeView | undefined, attempt: number, outcome: Outcome, edges: EdgeVerdicts | undefined): void {
  if (node === undefined || !isUnderWay(node, attempt)) return;
  if (node.state.stopping !== undefined) return endStopped(step, node);
  clearTimers(step, node);
  const verdicts = edges === undefined ? {} : { edges };
  const durationMs = step.at - (node.state.startedAt ?? step.at);
  const wasEnding = node.in.ending !== undefined;
  switch (outcome.kind) {
    case 'cancelled':
      return emit(step, { type: 'node:cancelled', node: node.path, reason: 'run_cancelled' });
    case 'succeeded': {
      const selected = outcome.selected === undefined ? {} : { selected: outcome.selected };
      emit(step, { type: 'node:succeeded', node: node.path, output: outcome.output, durationMs, ...selected, ...verdicts });
      return edges?.error === undefined ? undefined : failFast(step, node.scope, wasEnding);
    }
    case 'failed': {
      const error = nodeError(node, outcome);
      const handled = isHandled(step, node, error.code, edges);
      emit(step, { type: 'node:failed', node: node.path, error, handled, durationMs, ...verdicts });
      return handled && edges?.error === undefined ? undefined : failFast(step, node.scope, wasEnding);
    }
    default:
      return outcome satisfies never;
  }
}

/** Under `fail_fast` the first unhandled failure ends its scope: what runs there is stopped, but for handlers. */
function failFast(step: Step, scope: string, wasEnding: boolean): void {
  if (wasEnding || !step.draft.isOpen(scope) || step.draft.scope(scope).ending !== 'failed') return;
  stopNodes(step, scope, 'run_failed', 'not_handlers');
}

/** An attempt that is being paused before another one is over: what still comes of it is too late. */
function isUnderWay({ state }: NodeView, attempt: number): boolean {
  if (state.attempt !== attempt) return false;
  return state.status === 'running' || (state.status === 'waiting' && state.waitsFor !== 'retry');
}

/** Whatever it had to say: a node that was told to stop is cancelled, or failed if what stopped it was its own time limit. */
function endStopped(step: Step, node: NodeView): void {
  const reason = node.state.stopping!;
  clearTimers(step, node);
  if (reason !== 'timeout') return emit(step, { type: 'node:cancelled', node: node.path, reason });
  const error = nodeError(node, {
    code: 'timeout',
    message: `not done within ${node.plan.timeoutMs} ms`,
    details: { timeoutMs: node.plan.timeoutMs ?? 0 },
  });
  const handled = isHandled(step, node, error.code, undefined);
  const wasEnding = node.in.ending !== undefined;
  emit(step, { type: 'node:failed', node: node.path, error, handled, durationMs: step.at - (node.state.startedAt ?? step.at) });
  if (!handled) failFast(step, node.scope, wasEnding);
}

function mayRetry(step: Step, node: NodeView): boolean {
  return step.draft.current.stopping === undefined && (node.in.ending === undefined || node.state.handler);
}

function retry(step: Step, node: NodeView, failure: Failure, delayMs: number): void {
  clearTimers(step, node);
  const until = step.at + delayMs;
  const error = nodeError(node, failure);
  emit(step, { type: 'node:retrying', node: node.path, error, attempt: node.state.attempt, delayMs, until: isoInstant(until) });
  step.commands.push({ type: 'timer', key: node.path, at: until });
}

/** Asks for the conditions of the out-edges that this outcome can make live; without any the node ends at once. */
function judge(step: Step, node: NodeView, outcome: Outcome): void {
  const positions = outcome.kind === 'cancelled' ? [] : openConditions(step, node, outcome);
  if (positions.length === 0) return settle(step, node, node.state.attempt, outcome, undefined);
  step.commands.push({ type: 'judge', node: node.path, attempt: node.state.attempt, outcome, positions });
}

function openConditions(step: Step, node: NodeView, outcome: Exclude<Outcome, { kind: 'cancelled' }>): number[] {
  const positions: number[] = [];
  for (const [position, edgeIndex] of node.plan.out.entries()) {
    const edge = node.in.plan.edges[edgeIndex]!;
    if (edge.condition === undefined) continue;
    const isStopping = step.draft.current.stopping !== undefined;
    const applies =
      outcome.kind === 'succeeded'
        ? edge.on !== 'error' && (edge.handle === undefined || edge.handle === outcome.selected)
        : edge.on === 'always' || (edge.on === 'error' ? catches(edge, outcome.code, isStopping) : node.plan.continueOnError);
    if (applies) positions.push(position);
  }
  return positions;
}

function isHandled(step: Step, node: NodeView, code: string, edges: EdgeVerdicts | undefined): boolean {
  if (node.plan.continueOnError || node.state.unread) return true;
  const isStopping = step.draft.current.stopping !== undefined;
  return node.plan.out.some((edgeIndex, position) => {
    const edge = node.in.plan.edges[edgeIndex]!;
    return edge.on === 'error' && catches(edge, code, isStopping) && (edge.condition === undefined || edges?.conditions[position] === true);
  });
}

function nodeError(node: NodeView, failure: Failure): NodeError {
  return {
    code: failure.code,
    message: failure.message,
    node: node.plan.id,
    path: failure.path ?? node.path,
    details: failure.details,
    attempt: node.state.attempt,
  };
}

function clearTimers(step: Step, node: NodeView): void {
  if (node.state.status === 'waiting' && node.state.until !== undefined) step.commands.push({ type: 'clear', key: node.path });
  if (isContainer(node.plan.type) && node.plan.timeoutMs !== undefined) step.commands.push({ type: 'clear', key: wholeTimeout(node.path) });
}
