import { builtinTools, HostError, type Json, type Plan, type RunEvent, type RunResult, startRun, type ToolDef } from '@relavium/engine';
import { memoryStore, pause, runSimulated, simulatedClock } from '@relavium/engine/testing';
import { runPorts } from '../shared/run-ports.js';
import type { Decisions } from './decisions.js';
import { begin } from './pure-driver.js';
import { terminals } from './run-rules.js';

/** A run by the product's own driver, on a clock that jumps. */
export interface TimedRun {
  readonly result: RunResult;
  readonly events: readonly RunEvent[];
  /** Whether the run was cancelled before it had ended. */
  readonly wasCancelled: boolean;
}

export interface Times {
  /** Milliseconds that an attempt takes, or a person. */
  delay(node: string, attempt: number): number;
  /** When the run is cancelled; absent: never. */
  readonly cancelAt?: number;
}

/** What tools and people say is fixed by `decisions`, how long they take by `times`; expressions are really evaluated. */
export async function timedRun(plan: Plan, decisions: Decisions, times: Times): Promise<TimedRun> {
  const clock = simulatedClock(Date.UTC(2020, 0, 1));
  const store = memoryStore();
  let wasCancelled = false;
  const tools = builtinTools.map((tool): ToolDef => ({ ...tool, dispatch: (_args, _host, call) => play(decisions, times, clock, call) }));
  const handle = startRun(plan, begin, runPorts({ clock, store, tools, host: { process: { run: unused } } }), {
    onEvent: (event) => {
      if (event.type !== 'gate:opened') return;
      clock.at(clock.now() + times.delay(event.node, 1), () => handle.decide(event.node, decisions.gate(event.node)));
    },
  });
  if (times.cancelAt !== undefined) {
    clock.at(clock.now() + times.cancelAt, () => {
      wasCancelled = !store.events.some(({ type }) => terminals.has(type));
      handle.cancel();
    });
  }
  const result = await runSimulated(handle.done, clock, turn);
  return { result, events: store.events, wasCancelled };
}

type Call = Parameters<ToolDef['dispatch']>[2];

async function play(decisions: Decisions, times: Times, clock: Parameters<typeof pause>[1], call: Call): Promise<Json> {
  await pause(times.delay(call.node, call.attempt), clock, call.signal);
  const outcome = decisions.outcome(call.node, call.attempt);
  if (outcome.kind === 'succeeded') return { exitCode: 0, stdout: JSON.stringify(outcome.output), stderr: '', durationMs: 0 };
  throw new HostError('tool_failed', 'decided', 'as decided');
}

async function unused(): Promise<never> {
  throw new Error('the tools here are played');
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
