import { RUN_TIMEOUT } from './messages.js';
import { emit, type Step } from './step.js';

/** Says so when the run does nothing but wait, and when it goes on. Waiting time does not count against the run's own limit. */
export function rest(step: Step): void {
  const { status, active, waiting, activeMs } = step.draft.current;
  const isAsking = step.commands.some(({ type }) => type === 'ask' || type === 'judge' || type === 'start');
  if (status === 'running' && active === 0 && waiting > 0 && !isAsking) {
    emit(step, { type: 'run:waiting' });
    if (step.plan.timeoutMs !== undefined) step.commands.push({ type: 'clear', key: RUN_TIMEOUT });
  }
  if (status === 'waiting' && active > 0) {
    emit(step, { type: 'run:resumed' });
    const left = step.plan.timeoutMs === undefined ? undefined : step.plan.timeoutMs - activeMs;
    if (left !== undefined && step.draft.current.stopping === undefined)
      step.commands.push({ type: 'timer', key: RUN_TIMEOUT, at: step.at + left });
  }
}
