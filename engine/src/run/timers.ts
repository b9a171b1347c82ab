import { finish } from './finish.js';
import { decideByTimeout } from './gate.js';
import { wholeTimeout } from './messages.js';
import { outOfTime } from './outcome.js';
import { isContainer, isGoing } from './run-state.js';
import { begin } from './start.js';
import { emit, type Step, view, viewOf } from './step.js';
import { stopContainer } from './stop.js';

/** The instant that a node waits for has come, or the time that a loop or child may take is over. */
export function nodeTimer(step: Step, key: string): void {
  const path = key.endsWith(wholeTimeout('')) ? key.slice(0, -wholeTimeout('').length) : key;
  const node = viewOf(step, path);
  if (node === undefined) return;
  if (path !== key) {
    const isRunning = isContainer(node.plan.type) && isGoing(node.state) && node.state.stopping === undefined;
    if (isRunning) stopContainer(step, node, 'timeout');
    return;
  }
  if (node.state.status !== 'waiting') return;
  switch (node.state.waitsFor) {
    case 'retry':
      emit(step, { type: 'node:resumed', node: node.path });
      return begin(step, view(step, node));
    case 'gate':
      return decideByTimeout(step, node);
    case 'instant':
      return finish(
        step,
        node,
        node.state.attempt,
        step.at >= node.state.until! ? { kind: 'succeeded', output: null } : outOfTime(node.plan.timeoutMs!),
      );
    default:
      return;
  }
}
