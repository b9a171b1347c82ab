import { closeChild } from './child.js';
import { closeItem } from './loop.js';
import { runOutputs } from './outputs.js';
import { emit, type Step } from './step.js';

/** All nodes of a scope have ended: what it stands for ends. */
export function closeScope(step: Step, path: string): void {
  if (path === '') return closeRun(step);
  if (!step.draft.isOpen(path)) return;
  const scope = step.draft.scope(path);
  if (scope.item !== undefined) closeItem(step, scope);
  else closeChild(step, scope);
}

function closeRun(step: Step): void {
  const state = step.draft.head;
  const root = step.draft.scope('');
  const outputs = runOutputs(root);
  const durationMs = step.at - Date.parse(state.startedAt);
  const end = { outputs, durationMs, ...state.spent };
  if (state.stopping?.reason === 'cancelled') return emit(step, { type: 'run:cancelled', ...end });
  // A failure that was ending the run already is its error; one that independent branches went on after is not what ended it.
  if (state.stopping?.reason === 'run_timeout' && (root.error === undefined || root.workflow.onFailure === 'continue')) {
    const limit = step.plan.timeoutMs ?? 0;
    const error = {
      code: 'run_timeout',
      message: `the run was not done within ${limit} ms`,
      node: '',
      path: '',
      details: { timeoutMs: limit },
      attempt: 1,
    };
    return emit(step, { type: 'run:failed', error, ...end });
  }
  if (root.error !== undefined) return emit(step, { type: 'run:failed', error: root.error, ...end });
  return emit(step, { type: 'run:succeeded', ...end });
}
