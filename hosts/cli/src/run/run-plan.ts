import {
  builtinTools,
  createRegistry,
  type EventStore,
  type Plan,
  type RunBegin,
  type RunPorts,
  type RunResult,
  type SourceText,
  startRun,
} from '@relavium/engine';
import type { NodeHost } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { signalExitCode } from '../exit-code.js';
import { cancelOnSignals } from './cancel-on-signals.js';
import { chooseView } from './choose-view.js';
import { type GateMode, keepGates } from './gates.js';
import { reportResult } from './report-result.js';
import { templateFiles } from './template-files.js';

export interface PlannedRun {
  readonly plan: Plan;
  readonly sources: readonly SourceText[];
  readonly begin: RunBegin;
  readonly host: NodeHost;
  readonly maxParallel?: number;
  readonly gates: GateMode;
  /** File for the outputs; absent: standard output. */
  readonly target?: string;
}

/** Runs a plan while showing it, prints what came of it, and gives the exit code. */
export async function runPlan(cli: Cli, { plan, sources, begin, host, maxParallel, gates, target }: PlannedRun): Promise<number> {
  const view = chooseView(cli, plan);
  const begun = Date.now();
  // Before anything starts: a signal that nobody listens for would end this process and leave its children behind.
  let handle: ReturnType<typeof startRun> | undefined;
  const signals = cancelOnSignals(() => handle?.cancel(), view);
  const registryFor: RunPorts['registry'] = (policy) => createRegistry({ tools: builtinTools, host: host.tools, policy });
  const ports: RunPorts = {
    clock: host.clock,
    store: noStore,
    vm: host.vm,
    newCancel: host.newCancel,
    registry: registryFor,
    readFile: templateFiles(registryFor(plan.policy), host),
  };
  const keeper = keepGates(cli, {
    mode: gates,
    view,
    decide: async (node, decision) => (await handle?.decide(node, decision)) ?? [],
  });
  handle = startRun(plan, begin, ports, {
    onEvent: (event) => {
      view.event(event);
      keeper.event(event);
    },
    onStream: view.event,
    ...(maxParallel === undefined ? {} : { maxParallel }),
  });
  let result: RunResult;
  try {
    result = await Promise.race([handle.done, keeper.broken]);
  } finally {
    signals.stop();
    keeper.close();
    view.close();
  }
  const reported = reportResult(cli, result, { plan, sources, target, durationMs: Date.now() - begun });
  if (result.status === 'cancelled' && signals.received !== undefined) return signalExitCode[signals.received];
  return reported;
}

/** Runs are not kept beyond the process that runs them: their events are shown and forgotten. */
const noStore: EventStore = { append: () => {} };
