import type { JsonObject } from '../json.js';
import { maskJson } from '../masking/mask-json.js';
import type { Plan } from '../plan/plan.js';

import { takeAnswer } from './answers.js';
import { drain } from './drain.js';
import { finish, settle } from './finish.js';
import { decideGate } from './gate.js';
import type { Input, Transition } from './messages.js';
import { CLEANUP_TIMEOUT, RUN_TIMEOUT } from './messages.js';
import { rest } from './rest.js';
import type { RunState } from './run-state.js';
import { startLeaf } from './start.js';
import { emit, newStep, type Step, viewOf } from './step.js';
import { stopRun } from './stop.js';
import { nodeTimer } from './timers.js';

/**
 * What follows from one thing that happened. Pure: the same plan, state and input give the same events, commands and state; promises,
 * timers, clocks, ids and random numbers are on the driver's side and come in as inputs.
 *
 * Invariants (held by `test/unit/engine/run/` and `npm run fuzz -- dag`):
 * T1 The state is the fold of the events: nothing but an event changes it.
 * T2 A node ends once in a scope: `succeeded`, `failed`, `skipped` or `cancelled`.
 * T3 The last event is the only terminal one.
 * T4 An input that comes too late (its node has ended, its attempt is over) changes nothing.
 * T5 The cost of a node does not depend on the size of the run, and nothing recurses on the graph.
 */
export function transition(plan: Plan, state: RunState, input: Input): Transition {
  const step = newStep(plan, state, input.at);
  if (!isOver(state)) {
    handle(step, input);
    drain(step);
    rest(step);
  }
  return { state: step.draft.finished(), commands: step.commands, events: step.events };
}

export function isOver(state: RunState): boolean {
  return state.status === 'succeeded' || state.status === 'failed' || state.status === 'cancelled';
}

function handle(step: Step, input: Input): void {
  switch (input.type) {
    case 'begin':
      return begin(step);
    case 'started':
      return startLeaf(step, viewOf(step, input.node));
    case 'completed':
      return finish(step, viewOf(step, input.node, input.since), input.attempt, input.outcome);
    case 'answered':
      return takeAnswer(step, viewOf(step, input.node, input.since), input.attempt, input.question, input.answer);
    case 'verdicts':
      return settle(step, viewOf(step, input.node, input.since), input.attempt, input.outcome, input.edges);
    case 'timer':
      if (input.key === RUN_TIMEOUT) return stopRun(step, 'run_timeout');
      if (input.key === CLEANUP_TIMEOUT) return stopRun(step, step.draft.head.stopping?.reason ?? 'cancelled', true);
      return nodeTimer(step, input.key);
    case 'decided':
      return decideGate(step, viewOf(step, input.node), input.decision);
    case 'noted':
      return emit(step, input.note);
    case 'cancel':
      return stopRun(step, 'cancelled');
    default:
      return input satisfies never;
  }
}

function begin(step: Step): void {
  const { workflowHash, inputs, trigger } = step.draft.head.begin;
  const shown = maskJson(inputs) as JsonObject;
  emit(step, { type: 'run:started', workflowId: step.plan.workflow.id, workflowHash, inputs: shown, trigger });
  if (step.plan.timeoutMs !== undefined) step.commands.push({ type: 'timer', key: RUN_TIMEOUT, at: step.at + step.plan.timeoutMs });
}
