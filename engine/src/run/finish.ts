import type { EdgeVerdicts, RunEventPayload } from '../events/run-event.js';
import type { PlanEdge } from '../plan/plan.js';
import { catches } from './apply.js';
import { isoInstant } from './instant.js';
import { wholeTimeout } from './messages.js';
import type { NodeError } from './node-error.js';
import { type Failure, failed, type Outcome, outOfTime } from './outcome.js';
import { retryDelay } from './retry.js';
import { isContainer } from './run-state.js';
import { emit, type NodeView, type Step } from './step.js';
import { stopNodes } from './stop.js';

/** An attempt of a node is over: it is tried again, its edges are judged, or it ends. */
export function finish(step: Step, node: NodeView | undefined, attempt: number, given: Outcome): void {
  if (node === undefined || !isUnderWay(node, attempt)) return;
  const outcome = outcomeOf(node, given);
  if (outcome.kind === 'failed' && mayRetry(step, node)) {
    const delay = retryDelay(step.draft.head.begin.runId, { path: node.path, attempt, retry: node.plan.retry }, outcome);
    if (typeof delay === 'number') return retry(step, node, outcome, delay);
    if (delay !== undefined) return judge(step, node, { ...outcome, message: `${outcome.message} (${delay.refusal})` });
  }
  judge(step, node, outcome);
}

/**
 * What counts as the end of an attempt. A node that was told to stop is cancelled whatever it has to say, or out of time if its own limit
 * was what stopped it; one that calls itself cancelled although nobody stopped it has failed.
 */
function outcomeOf(node: NodeView, given: Outcome): Outcome {
  const { stopping } = node.state;
  if (stopping === 'timeout') return outOfTime(node.plan.timeoutMs!);
  if (stopping !== undefined) return { kind: 'cancelled' };
  return given.kind === 'cancelled' ? failed('cancelled', 'it was cancelled from outside the run') : given;
}

/** Asks for the conditions of the out-edges that this outcome can make live; without any the node ends at once. */
export function judge(step: Step, node: NodeView, outcome: Outcome): void {
  const positions = openConditions(step, node, outcome);
  if (positions.length === 0) return settle(step, node, node.state.attempt, outcome, undefined);
  step.commands.push({ type: 'judge', node: node.path, attempt: node.state.attempt, since: node.in.since, outcome, positions });
}

/** Ends a node, now that the conditions of its out-edges are known. */
export function settle(step: Step, node: NodeView | undefined, attempt: number, given: Outcome, edges: EdgeVerdicts | undefined): void {
  if (node === undefined || !isUnderWay(node, attempt)) return;
  const isStopped = node.state.stopping !== undefined && node.state.stopping !== 'timeout';
  const outcome: Outcome = isStopped ? { kind: 'cancelled' } : given;
  clearTimers(step, node);
  const verdicts = edges === undefined ? {} : { edges };
  const durationMs = step.at - (node.state.startedAt ?? step.at);
  const wasEnding = node.in.ending !== undefined;
  let isFatal = edges?.error !== undefined;
  switch (outcome.kind) {
    case 'cancelled':
      emit(step, { type: 'node:cancelled', node: node.path, reason: node.state.stopping ?? 'run_cancelled', ...verdicts });
      break;
    case 'succeeded': {
      emit(step, succeeded(node.path, outcome, durationMs, edges));
      break;
    }
    case 'failed': {
      const error = nodeError(node, outcome);
      const handled = isHandled(step, node, error.code, edges);
      emit(step, { type: 'node:failed', node: node.path, error, handled, durationMs, ...verdicts });
      isFatal ||= !handled;
      break;
    }
    default:
      outcome satisfies never;
  }
  if (isFatal) failFast(step, node.scope, wasEnding);
}

/** Of most nodes there is no more to say than the first four. */
function succeeded(
  node: string,
  { output, selected, captured }: Extract<Outcome, { kind: 'succeeded' }>,
  durationMs: number,
  edges: EdgeVerdicts | undefined,
): Extract<RunEventPayload, { type: 'node:succeeded' }> {
  if (selected === undefined && captured === undefined && edges === undefined) return { type: 'node:succeeded', node, output, durationMs };
  return {
    type: 'node:succeeded',
    node,
    output,
    durationMs,
    ...(selected === undefined ? {} : { selected }),
    ...(captured === undefined ? {} : { captured }),
    ...(edges === undefined ? {} : { edges }),
  };
}

/** Under `fail_fast` the first unhandled failure ends its scope: what runs there is stopped, but for handlers. */
function failFast(step: Step, scope: string, wasEnding: boolean): void {
  if (wasEnding || !step.draft.isOpen(scope) || step.draft.scope(scope).ending !== 'failed') return;
  stopNodes(step, scope, 'run_failed', 'not_handlers');
}

/** An attempt that is being paused before another one is over: what still comes of it is too late. */
function isUnderWay({ state }: NodeView, attempt: number): boolean {
  if (state.attempt !== attempt) return false;
  return state.status === 'running' || (state.status === 'waiting' && (state.waitsFor !== 'retry' || state.stopping !== undefined));
}

function mayRetry(step: Step, node: NodeView): boolean {
  return step.draft.head.stopping === undefined && (node.in.ending === undefined || node.state.handler);
}

function retry(step: Step, node: NodeView, failure: Failure, delayMs: number): void {
  clearTimers(step, node);
  const until = step.at + delayMs;
  const error = nodeError(node, failure);
  emit(step, { type: 'node:retrying', node: node.path, error, attempt: node.state.attempt, delayMs, until: isoInstant(until) });
  step.commands.push({ type: 'timer', key: node.path, at: until });
}

function openConditions(step: Step, node: NodeView, outcome: Outcome): number[] {
  const isStopping = step.draft.head.stopping !== undefined;
  const positions: number[] = [];
  for (const [position, edgeIndex] of node.plan.out.entries()) {
    const edge = node.in.plan.edges[edgeIndex]!;
    if (edge.condition === undefined || !mayBeLive(edge, node, outcome, isStopping)) continue;
    // A race that has fired reads no more of who comes late.
    if (node.in.nodes.get(edge.to).status === 'pending') positions.push(position);
  }
  return positions;
}

function mayBeLive(edge: PlanEdge, node: NodeView, outcome: Outcome, isStopping: boolean): boolean {
  switch (outcome.kind) {
    case 'succeeded':
      return edge.on !== 'error' && (edge.handle === undefined || edge.handle === outcome.selected);
    case 'failed':
      if (edge.on === 'error') return catches(edge, outcome.code, isStopping);
      return edge.on === 'always' || (node.plan.continueOnError && edge.handle === undefined);
    case 'cancelled':
      return edge.on === 'always' && node.state.stopping !== 'lost_race';
    default:
      return outcome satisfies never;
  }
}

function isHandled(step: Step, node: NodeView, code: string, edges: EdgeVerdicts | undefined): boolean {
  if (node.plan.continueOnError || node.state.unread) return true;
  const isStopping = step.draft.head.stopping !== undefined;
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
