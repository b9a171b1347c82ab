import { finish } from './finish.js';
import { openGate } from './gate.js';
import { isoInstant } from './instant.js';
import { runMerge } from './merge.js';
import { fedTo } from './outputs.js';
import { isLeaf } from './run-state.js';
import { ask, emit, emitStarted, type NodeView, type Step, view } from './step.js';

/** Whether a node may start at all: in a scope that ends only handlers may, and none once cleanup is over. */
export function mayStart(step: Step, node: NodeView): boolean {
  if (step.draft.head.stopping?.final === true || node.in.ending === 'lost_race') return false;
  return node.in.ending === undefined || node.state.handler;
}

/** A node's join is satisfied: asks its `if`, or begins. */
export function activate(step: Step, node: NodeView): void {
  if (node.plan.if === undefined) begin(step, node);
  else ask(step, node, { kind: 'if' });
}

/** Begins a node whose `if` said yes. Tools and agents wait for a slot first. */
export function begin(step: Step, node: NodeView): void {
  if (isLeaf(node.plan.type)) {
    step.commands.push({ type: 'start', node: node.path });
    return;
  }
  switch (node.plan.type) {
    case 'loop':
      return ask(step, node, { kind: 'loop' });
    case 'subworkflow':
      return ask(step, node, { kind: 'child' });
    default:
      emitStarted(step, node);
      return beginPure(step, view(step, node));
  }
}

/** A slot is free. A node that was stopped while it stood in line gives the slot back by not executing. */
export function startLeaf(step: Step, node: NodeView | undefined): void {
  if (node === undefined || !isLeaf(node.plan.type)) return;
  if (node.state.status !== 'ready') return;
  emitStarted(step, node);
  step.commands.push({ type: 'execute', node: node.path, attempt: node.state.attempt + 1, since: node.in.since });
}

function beginPure(step: Step, node: NodeView): void {
  const { plan } = node;
  switch (plan.type) {
    case 'input':
      return finish(step, node, node.state.attempt, { kind: 'succeeded', output: node.in.inputs });
    case 'parallel':
      return finish(step, node, node.state.attempt, { kind: 'succeeded', output: null });
    case 'merge':
      return runMerge(step, node);
    case 'wait':
      if (plan.durationMs === undefined) return ask(step, node, { kind: 'value' });
      return waitUntil(step, node, step.at + plan.durationMs);
    case 'human_gate':
      if (plan.message === undefined && plan.approves.length === 0) return openGate(step, node, '');
      return ask(step, node, { kind: 'value' });
    case 'output':
      if (plan.value === undefined && plan.saveTo === undefined) {
        return finish(step, node, node.state.attempt, { kind: 'succeeded', output: fedTo(node.in, node.index) });
      }
      return ask(step, node, { kind: 'value' });
    case 'transform':
    case 'condition':
    case 'fail':
      return ask(step, node, { kind: 'value' });
    default:
      throw new Error(`a ${plan.type} does not begin here`);
  }
}

/** A `timeout_ms` that comes before the instant wakes the node, to fail. */
export function waitUntil(step: Step, node: NodeView, until: number): void {
  emit(step, { type: 'node:waiting', node: node.path, until: isoInstant(until) });
  const { timeoutMs } = node.plan;
  step.commands.push({ type: 'timer', key: node.path, at: timeoutMs === undefined ? until : Math.min(until, step.at + timeoutMs) });
}
