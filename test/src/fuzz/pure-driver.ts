import type { Command, Input, Plan, RunEvent, RunState } from '@relavium/engine';
import { initialState, isOver, transition } from '@relavium/engine';
import type { Decisions } from './decisions.js';
import { planNode } from './plan-node.js';

/** A run of the pure core, driven by choices instead of by a clock and a host. */
export interface Trace {
  readonly events: readonly RunEvent[];
  readonly state: RunState;
  /** What the driver saw go wrong. */
  readonly problems: readonly string[];
}

/** Gives a number below a bound each time that the driver has a choice. */
export type Choose = (bound: number) => number;

export const begin = { runId: 'run', workflowHash: 'none', inputs: {}, context: {}, trigger: { type: 'manual' } } as const;

/** Far above what any small graph needs: reached only by a run that does not end. */
const MOST_STEPS = 20_000;

/**
 * Drives a run to its end. What nodes and expressions say is fixed by `decisions`; the order in which it comes, when timers fire and
 * whether and when the run is cancelled is the choice of `choose`.
 */
export function drive(plan: Plan, decisions: Decisions, choose: Choose, mayCancel: boolean): Trace {
  const problems: string[] = [];
  const events: RunEvent[] = [];
  const starts: string[] = [];
  const running = new Map<string, Input & { type: 'completed' }>();
  const timers = new Map<string, number>();
  const gates = new Set<string>();
  const past: Input[] = [];
  let state = initialState(plan, begin);
  let now = 1_000_000;
  let isCancelled = !mayCancel;

  const feed = (first: Input): void => {
    const inputs = [first];
    for (let input = inputs.shift(); input !== undefined; input = inputs.shift()) {
      const step = transition(plan, state, input);
      state = step.state;
      for (const event of step.events) {
        events.push(event);
        if (event.type === 'gate:opened') gates.add(event.node);
      }
      for (const command of step.commands) {
        const answer = obey(command);
        if (answer !== undefined) inputs.push(answer);
      }
    }
  };

  const obey = (command: Command): Input | undefined => {
    switch (command.type) {
      case 'start':
        starts.push(command.node);
        return undefined;
      case 'execute': {
        const outcome = decisions.outcome(command.node, command.attempt);
        running.set(command.node, {
          type: 'completed',
          at: now,
          node: command.node,
          attempt: command.attempt,
          since: command.since,
          outcome,
        });
        return undefined;
      }
      case 'cancel': {
        const execution = running.get(command.node);
        // The host may be quicker or slower than the signal.
        if (execution !== undefined && choose(2) === 0) running.set(command.node, { ...execution, outcome: { kind: 'cancelled' } });
        return undefined;
      }
      case 'ask': {
        const answer = decisions.answer(planNode(plan, command.node), command.node, command.question);
        return {
          type: 'answered',
          at: now,
          node: command.node,
          attempt: command.attempt,
          since: command.since,
          question: command.question,
          answer,
        };
      }
      case 'judge': {
        const conditions = Object.fromEntries(command.positions.map((position) => [position, decisions.verdict(command.node, position)]));
        return {
          type: 'verdicts',
          at: now,
          node: command.node,
          attempt: command.attempt,
          since: command.since,
          outcome: command.outcome,
          edges: { conditions },
        };
      }
      case 'timer':
        timers.set(command.key, command.at);
        return undefined;
      case 'clear':
        timers.delete(command.key);
        return undefined;
    }
  };

  feed({ type: 'begin', at: now });
  for (let steps = 0; !isOver(state); steps++) {
    if (steps > MOST_STEPS) {
      problems.push(`the run has not ended after ${MOST_STEPS} steps`);
      break;
    }
    const next = choice();
    if (next === undefined) {
      problems.push(`the run is ${state.status} and nothing is left that could go on`);
      break;
    }
    feed(next);
    past.push(next);
    if (choose(16) === 0) repeat();
  }
  return { events, state, problems };

  function choice(): Input | undefined {
    const options: (() => Input)[] = [];
    if (starts.length > 0 && running.size < plan.maxParallel) options.push(() => ({ type: 'started', at: now, node: starts.shift()! }));
    for (const [node, completed] of running) {
      options.push(() => {
        running.delete(node);
        now += choose(9);
        return { ...completed, at: now };
      });
    }
    const earliest = [...timers].sort((a, b) => a[1] - b[1])[0];
    if (earliest !== undefined) {
      options.push(() => {
        timers.delete(earliest[0]);
        now = Math.max(now, earliest[1]);
        return { type: 'timer', at: now, key: earliest[0] };
      });
    }
    for (const node of gates) {
      options.push(() => {
        gates.delete(node);
        return { type: 'decided', at: now, node, decision: decisions.gate(node) };
      });
    }
    if (!isCancelled && choose(24) === 0) {
      isCancelled = true;
      return { type: 'cancel', at: now };
    }
    return options[choose(options.length)]?.();
  }

  /** An input that was taken before comes again: too late, so nothing may follow from it. */
  function repeat(): void {
    const old = past[choose(past.length)];
    if (old === undefined || old.type !== 'completed') return;
    const { state: after, events: more, commands } = transition(plan, state, { ...old, at: now });
    if (more.length > 0 || commands.length > 0) problems.push(`an old answer of ${old.node} had an effect: ${JSON.stringify(more)}`);
    if (after.seq !== state.seq) problems.push(`an old answer of ${old.node} changed the state`);
  }
}
