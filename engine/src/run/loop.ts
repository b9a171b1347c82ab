import type { Json, JsonObject } from '../json.js';
import type { LoopNodePlan } from '../plan/plan.js';

import { finish } from './finish.js';
import { type Answer, wholeTimeout } from './messages.js';
import type { NodeError } from './node-error.js';
import { itemScopePath } from './node-path.js';
import { failed } from './outcome.js';
import { type LoopState, lastListed, type ScopeState } from './run-state.js';
import { ask, emit, emitStarted, type NodeView, type Step, view } from './step.js';
import { stopNodes } from './stop.js';

/** The list and the first `prev` are known: the loop runs. */
export function startLoop(step: Step, node: NodeView, answer: Answer): void {
  if (!answer.ok) return failAtStart(step, node, answer);
  const given = answer.value as { readonly items?: readonly Json[]; readonly initial?: Json };
  emit(step, { type: 'node:started', node: node.path, nodeType: 'loop', attempt: node.state.attempt + 1, loop: given });
  startWholeTimer(step, node);
  goOn(step, view(step, node));
}

/** A container whose start could not be evaluated fails without having run anything. */
export function failAtStart(step: Step, node: NodeView, answer: Extract<Answer, { ok: false }>): void {
  emitStarted(step, node);
  const started = view(step, node);
  const { ok: _, ...failure } = answer;
  finish(step, started, started.state.attempt, { kind: 'failed', ...failure });
}

export function startWholeTimer(step: Step, node: NodeView): void {
  if (node.plan.timeoutMs !== undefined)
    step.commands.push({ type: 'timer', key: wholeTimeout(node.path), at: step.at + node.plan.timeoutMs });
}

/** All nodes of an iteration have ended. */
export function closeItem(step: Step, scope: ScopeState): void {
  const node = view(step, { scope: scope.parent!.scope, index: scope.parent!.node });
  const plan = node.plan as LoopNodePlan;
  const { index } = scope.item!;
  if (scope.error !== undefined) return completeItem(step, node, index, { ok: false, error: scope.error });
  if (scope.ending !== undefined) return completeItem(step, node, index, { ok: false });
  if (plan.collect === undefined && plan.until === undefined) {
    const value = lastListed(scope);
    return completeItem(step, node, index, { ok: true, ...(value === undefined ? {} : { value }) });
  }
  ask(step, node, { kind: 'item', index });
}

/** The value of an iteration and its `until` are known. */
export function takeItem(step: Step, node: NodeView, index: number, answer: Answer): void {
  if (!answer.ok) {
    const { code, message, details, path } = answer;
    const at = path ?? itemScopePath(node.path, index);
    const error: NodeError = { code, message, details, node: node.plan.id, path: at, attempt: node.state.attempt };
    return completeItem(step, node, index, { ok: false, error });
  }
  const { value, done } = answer.value as { readonly value?: Json; readonly done: boolean };
  completeItem(step, node, index, { ok: true, ...(value === undefined ? {} : { value }), done });
}

/** Whether `while` still holds. */
export function takeWhile(step: Step, node: NodeView, answer: Answer): void {
  if (!answer.ok) {
    const { ok: _, ...failure } = answer;
    return finish(step, node, node.state.attempt, { kind: 'failed', ...failure });
  }
  if (node.state.stopping !== undefined) return finish(step, node, node.state.attempt, { kind: 'cancelled' });
  if (answer.value !== true) {
    emit(step, { type: 'loop:exhausted', node: node.path });
    return goOn(step, view(step, node));
  }
  const { maxIterations } = node.plan as LoopNodePlan;
  if (node.state.loop!.next >= maxIterations) return failAtLimit(step, node, maxIterations);
  emit(step, { type: 'loop:item_started', node: node.path, index: node.state.loop!.next });
}

type ItemEnd = { readonly ok: boolean; readonly value?: Json; readonly error?: NodeError; readonly done?: boolean };

function completeItem(step: Step, node: NodeView, index: number, end: ItemEnd): void {
  emit(step, { type: 'loop:item_completed', node: node.path, index, ...end });
  const after = view(step, node);
  const isFirstFailure = end.error !== undefined && (node.plan as LoopNodePlan).onItemError === 'fail';
  if (isFirstFailure)
    for (const item of step.draft.innerPaths(after.scope, after.index)) stopNodes(step, item, 'item_failed', 'not_handlers');
  goOn(step, after);
}

/** Starts what may start of a loop, or ends it. Called whenever one of its iterations has ended. */
function goOn(step: Step, node: NodeView): void {
  const plan = node.plan as LoopNodePlan;
  const loop = node.state.loop!;
  if (isToEnd(node, loop, plan)) {
    if (loop.running === 0) endLoop(step, node, plan, loop);
    return;
  }
  if (loop.items !== undefined) return startItems(step, node, plan, loop);
  if (loop.running > 0) return;
  if (plan.while !== undefined) return ask(step, node, { kind: 'while' });
  if (loop.next >= plan.maxIterations) return failAtLimit(step, node, plan.maxIterations);
  emit(step, { type: 'loop:item_started', node: node.path, index: loop.next });
}

function isToEnd(node: NodeView, loop: LoopState, plan: LoopNodePlan): boolean {
  if (node.state.stopping !== undefined || loop.done) return true;
  return loop.failure !== undefined && plan.onItemError === 'fail';
}

function startItems(step: Step, node: NodeView, plan: LoopNodePlan, loop: LoopState): void {
  const items = loop.items!;
  const end = Math.min(items.length, plan.maxIterations);
  const until = Math.min(end, loop.next + plan.maxParallel - loop.running);
  for (let index = loop.next; index < until; index++) emit(step, { type: 'loop:item_started', node: node.path, index });
  if (loop.running > 0 || loop.next < until) return;
  if (items.length > end) return failAtLimit(step, node, plan.maxIterations);
  endLoop(step, node, plan, loop);
}

function endLoop(step: Step, node: NodeView, plan: LoopNodePlan, loop: LoopState): void {
  const { failure } = loop;
  if (failure !== undefined && plan.onItemError === 'fail') {
    const { code, message, details, path } = failure;
    return finish(step, node, node.state.attempt, { kind: 'failed', code, message, details, path });
  }
  finish(step, node, node.state.attempt, { kind: 'succeeded', output: loopOutput(loop) });
}

function failAtLimit(step: Step, node: NodeView, limit: number): void {
  finish(step, node, node.state.attempt, failed('loop_limit', `the loop was to go on after ${limit} iterations`, { maxIterations: limit }));
}

/** `last` is the value of the last iteration that gave one, which is also what `prev` would be in the next. */
function loopOutput(loop: LoopState): JsonObject {
  const errors = loop.errors.toArray().sort((a, b) => a.index - b.index);
  return {
    results: loop.results.toArray(),
    count: loop.next,
    last: loop.prevIndex < 0 ? null : (loop.prev ?? null),
    errors: errors.map(({ index, code, message, path }) => ({ index, code, message, path })),
  };
}
