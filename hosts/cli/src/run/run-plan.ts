import { type Plan, type RunBegin, type RunResult, type SourceText, startRun } from '@relavium/engine';
import type { NodeHost } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { signalExitCode } from '../exit-code.js';
import { modelUse } from '../render/model-use.js';
import type { AgentSettings } from './agent-settings.js';
import { cancelOnSignals } from './cancel-on-signals.js';
import { chooseView } from './choose-view.js';
import { type GateMode, keepGates } from './gates.js';
import { reportResult } from './report-result.js';
import { openRunPorts } from './run-ports.js';
import { streamedOutput } from './streamed-output.js';

export interface PlannedRun {
  readonly plan: Plan;
  readonly sources: readonly SourceText[];
  readonly begin: RunBegin;
  /** Values of the secret inputs, by name. */
  readonly secretInputs: ReadonlyMap<string, string>;
  readonly host: NodeHost;
  /** Absent: no agent is in the plan. */
  readonly agents: AgentSettings | undefined;
  /** Each governed call waits for a person. */
  readonly asks: boolean;
  readonly maxParallel?: number;
  readonly gates: GateMode;
  /** File for the outputs; absent: standard output. */
  readonly target?: string;
}

/** Runs a plan while showing it, prints what came of it, and gives the exit code. */
export async function runPlan(cli: Cli, planned: PlannedRun): Promise<number> {
  const { plan, sources, begin, secretInputs, host, agents, asks, maxParallel, gates, target } = planned;
  const view = chooseView(cli, plan);
  const begun = Date.now();
  // Before anything starts: a signal that nobody listens for would end this process and leave its children behind.
  let handle: ReturnType<typeof startRun> | undefined;
  const signals = cancelOnSignals(() => handle?.cancel(), view);
  const { ports, close } = openRunPorts(host, planned, secretInputs, agents);
  const models = modelUse();
  const streamed = streamedOutput(cli, view);
  const keeper = keepGates(cli, {
    mode: gates,
    view,
    decide: async (node, decision) => (await handle?.decide(node, decision)) ?? [],
  });
  handle = startRun(plan, begin, ports, {
    onEvent: (event) => {
      view.event(event);
      keeper.event(event);
      models.event(event);
    },
    // Nobody looks at output while it comes unless it was asked for.
    ...(cli.verbose || cli.json ? { onStream: streamed.event } : {}),
    ...(cli.quiet ? {} : { onText: streamed.event }),
    asks,
    ...(maxParallel === undefined ? {} : { maxParallel }),
  });
  let result: RunResult;
  try {
    result = await Promise.race([handle.done, keeper.broken]);
  } finally {
    signals.stop();
    keeper.close();
    streamed.end();
    view.close();
    close();
  }
  const reported = reportResult(cli, result, { plan, sources, target, models, durationMs: Date.now() - begun });
  if (result.status === 'cancelled' && signals.received !== undefined) return signalExitCode[signals.received];
  return reported;
}
