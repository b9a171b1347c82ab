import { type Plan, type RunBegin, type RunEvent, type RunResult, type SourceText, startRun } from '@relavium/engine';
import { type NodeHost, noteWrites } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { modelUse } from '../render/model-use.js';
import type { View } from '../render/view.js';
import type { AgentSettings } from '../run/agent-settings.js';
import { chooseView } from '../run/choose-view.js';
import { type GateMode, keepGates } from '../run/gates.js';
import { reportResult } from '../run/report-result.js';
import { openRunPorts } from '../run/run-ports.js';

export interface WatchedRun {
  readonly plan: Plan;
  readonly sources: readonly SourceText[];
  readonly begin: RunBegin;
  readonly secretInputs: ReadonlyMap<string, string>;
  readonly host: NodeHost;
  readonly agents: AgentSettings | undefined;
  readonly maxParallel?: number;
  readonly gates: GateMode;
  /** Called before the run writes a file; what it gives back is told the path afterwards, relative to the workspace. */
  readonly writing: () => (path: string | undefined) => void;
  readonly onEvent: (event: RunEvent) => void;
}

export interface RunUnderWay {
  /** Resolves once what came of it has been told. */
  readonly done: Promise<RunResult['status']>;
  readonly say: View['say'];
  /** A second call waits for nothing any more. */
  cancel(): void;
}

/** Starts a run while showing it. What it writes is noted, so that it does not start the next one. */
export function runOnce(cli: Cli, run: WatchedRun): RunUnderWay {
  const { plan, sources, begin, secretInputs, host, agents, maxParallel, gates, writing, onEvent } = run;
  const view = chooseView(cli, plan);
  const begunAt = performance.now();
  const noting: NodeHost = {
    ...host,
    newScratch(sources) {
      const scratch = host.newScratch(sources);
      return { ...scratch, fs: noteWrites(scratch.fs, writing) };
    },
  };
  const { ports, close } = openRunPorts(noting, run, secretInputs, agents);
  const models = modelUse();
  const { save } = ports;
  const keeper = keepGates(cli, { mode: gates, view, decide: (node, decision) => handle.decide(node, decision) });
  const handle = startRun(
    plan,
    begin,
    {
      ...ports,
      ...(save === undefined
        ? {}
        : {
            async save(path, output, format) {
              const end = writing();
              try {
                return await save(path, output, format);
              } finally {
                end(path);
              }
            },
          }),
    },
    {
      onEvent(event) {
        view.event(event);
        keeper.event(event);
        models.event(event);
        onEvent(event);
      },
      ...(cli.verbose || cli.json ? { onStream: view.event } : {}),
      ...(cli.quiet ? {} : { onText: view.event }),
      ...(maxParallel === undefined ? {} : { maxParallel }),
    },
  );
  const finish = async (): Promise<RunResult['status']> => {
    let result: RunResult;
    try {
      result = await Promise.race([handle.done, keeper.broken]);
    } finally {
      keeper.close();
      view.close();
      close();
    }
    reportResult(cli, result, { plan, sources, target: undefined, models, durationMs: performance.now() - begunAt });
    return result.status;
  };
  return { done: finish(), say: view.say, cancel: () => handle.cancel() };
}
