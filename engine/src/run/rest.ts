import { RUN_TIMEOUT } from './messages.js';
import { splitScopePath } from './node-path.js';
import { emit, type NodeView, type Step, viewOf } from './step.js';

/** Says so when a container, or the run, does nothing but wait, and when it goes on. Waiting does not count against the run's own limit. */
export function rest(step: Step): void {
  const isAsking = step.commands.some(({ type }) => type === 'ask' || type === 'judge');
  for (const path of step.draft.touched()) {
    if (path !== '') restContainer(step, viewOf(step, splitScopePath(path).container), isAsking);
  }
  const { status } = step.draft.head;
  const { active, waiting } = step.draft.scope('');
  if (status === 'running' && active === 0 && waiting > 0 && !isAsking) {
    emit(step, { type: 'run:waiting' });
    if (step.plan.timeoutMs !== undefined) step.commands.push({ type: 'clear', key: RUN_TIMEOUT });
  }
  if (status === 'waiting' && active > 0) {
    emit(step, { type: 'run:resumed' });
    const { activeMs, stopping } = step.draft.head;
    const isLimited = step.plan.timeoutMs !== undefined && stopping === undefined;
    if (isLimited) step.commands.push({ type: 'timer', key: RUN_TIMEOUT, at: step.at + step.plan.timeoutMs! - activeMs });
  }
}

function restContainer(step: Step, node: NodeView | undefined, isAsking: boolean): void {
  if (node === undefined || node.state.inner === undefined) return;
  let active = 0;
  let waiting = 0;
  for (const path of step.draft.innerPaths(node.scope, node.index)) {
    const inner = step.draft.scope(path);
    active += inner.active;
    waiting += inner.waiting;
  }
  if (node.state.status === 'running' && active === 0 && waiting > 0 && !isAsking) emit(step, { type: 'node:waiting', node: node.path });
  if (node.state.waitsFor === 'inner' && active > 0) emit(step, { type: 'node:resumed', node: node.path });
}
