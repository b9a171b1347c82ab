import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Cli } from '../cli.js';
import { refuse } from '../problem.js';
import { openProject } from '../project/open-project.js';
import type { AgentFlags } from '../run/agent-settings.js';
import { type Grants, openHost } from '../run/open-host.js';
import { watchWorkflow } from '../watch/watch-workflow.js';

export interface WatchCommandOptions extends Grants, AgentFlags {
  readonly input?: readonly string[];
  readonly glob?: readonly string[];
  /** Milliseconds. */
  readonly debounce?: number;
  readonly initial: boolean;
  readonly restart?: boolean;
  readonly maxParallel?: number;
}

/** Runs a workflow now and after each change. */
export async function watch(cli: Cli, named: string, options: WatchCommandOptions): Promise<number> {
  const project = openProject(cli);
  const folder = options.glob?.find((glob) => statSync(resolve(cli.cwd, glob), { throwIfNoEntry: false })?.isDirectory() === true);
  if (folder !== undefined) {
    return refuse(cli, {
      message: `--glob ${folder} is a directory`,
      next: `For every file in it, write --glob '${folder.replace(/\/+$/, '')}/**'.`,
    });
  }
  const host = openHost(cli, project, options);
  if (!host.ok) return refuse(cli, host.problem);
  return watchWorkflow(cli, {
    project,
    named,
    host: host.value,
    agents: options,
    assignments: options.input ?? [],
    globs: options.glob ?? [],
    runsFirst: options.initial,
    onChangeDuringRun: options.restart === true ? 'restart' : 'queue',
    ...(options.debounce === undefined ? {} : { debounceMs: options.debounce }),
    ...(options.maxParallel === undefined ? {} : { maxParallel: options.maxParallel }),
  });
}
