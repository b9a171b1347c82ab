import type { RunEvent } from '../events/run-event.js';
import type { Plan } from '../plan/plan.js';
import { Draft } from './apply.js';
import { initialState, type RunBegin, type RunState } from './run-state.js';

/** The state of a run, from what it began with and its events. There is no second truth. */
export function fold(plan: Plan, begin: RunBegin, events: Iterable<RunEvent>): RunState {
  const draft = new Draft(initialState(plan, begin));
  for (const event of events) {
    draft.apply(event);
    draft.takeNews();
  }
  return draft.finished();
}
