import { isAbsolute, relative, resolve, sep } from 'node:path';
import { builtinTools, compileCache, createRegistry, type Json, type JsonObject, type RunResult, showControls } from '@relavium/engine';
import {
  type ChangedFile,
  type FileWatch,
  isCoveredBy,
  type NodeHost,
  type WatchGlob,
  type WatchTargets,
  watchFiles,
} from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { reportDiagnostics } from '../commands/report-diagnostics.js';
import { type EndingSignal, exitCode, signalExitCode } from '../exit-code.js';
import { inputDiagnostics } from '../inputs/input-diagnostics.js';
import { refuse } from '../problem.js';
import type { Project } from '../project/open-project.js';
import { type AgentFlags, agentSettings } from '../run/agent-settings.js';
import { type Begun, beginRun, workflowHash } from '../run/begin-run.js';
import { gateMode } from '../run/gates.js';
import { templateFiles } from '../run/template-files.js';
import { whatAsks } from '../run/what-asks.js';
import { checkChanged, splitAssignments } from './changed-input.js';
import { changedLine } from './changed-line.js';
import { listenToKeys } from './keys.js';
import { type LoadedWorkflow, loadWorkflow } from './load-workflow.js';
import { ownCommands } from './own-commands.js';
import { readPaths } from './read-paths.js';
import { type RunUnderWay, runOnce } from './run-once.js';

export interface WatchedWorkflow {
  readonly project: Project;
  readonly named: string;
  readonly host: NodeHost;
  readonly agents: AgentFlags;
  /** As given by `-i`. */
  readonly assignments: readonly string[];
  /** As given by `--glob`, relative to the working directory. */
  readonly globs: readonly string[];
  /** Absent: what the trigger says, else half a second. */
  readonly debounceMs?: number;
  readonly runsFirst: boolean;
  readonly onChangeDuringRun: 'queue' | 'restart';
  readonly maxParallel?: number;
}

type Ready = Extract<LoadedWorkflow, { kind: 'ready' }>;

/** What starts a round of runs. */
type Cause = { readonly type: 'start' | 'asked' } | { readonly type: 'changed'; readonly files: readonly ChangedFile[] };

const DEBOUNCE_MS = 500;
/** Milliseconds that a run gets to write its last event once it was told twice to end. */
const LAST_GRACE_MS = 1_000;

/** Runs a workflow again whenever something that it reads has changed, until somebody ends it. Gives the exit code. */
export async function watchWorkflow(cli: Cli, watched: WatchedWorkflow): Promise<number> {
  const { project, host } = watched;
  const { fixed, changed: changedInputs } = splitAssignments(watched.assignments);
  const cache = compileCache();
  const programs = ownCommands(Date.now);
  const load = (): LoadedWorkflow => loadWorkflow(cli, { project, named: watched.named, cache });

  const first = load();
  if (first.kind === 'missing') return refuse(cli, first.problem);
  if (first.kind === 'ready') {
    const gates = gateMode(cli, first.plan, undefined);
    if (!gates.ok) return refuse(cli, gates.problem);
    const checked = checkChanged(changedInputs, first.plan.inputs, itemGlobs(first).length > 0);
    if (!checked.ok) return refuse(cli, checked.problem);
    const begun = changedInputs.length > 0 ? undefined : await begin(first, [], { type: 'manual', path: null, paths: [] });
    if (begun?.ok === false) return refuseInputs(first, begun.problems);
  }

  // What the session knows, and what is to happen next.
  let queue = new Map<string, ChangedFile>();
  let isAsked = false;
  let ending: number | undefined;
  let isInterrupted = false;
  let isRestarting = false;
  let underWay: { readonly run: RunUnderWay; readonly files: readonly ChangedFile[] } | undefined;
  let ready: Ready | undefined = first.kind === 'ready' ? first : undefined;
  let inputs: JsonObject = {};
  let lastPaths: readonly string[] = [];
  let wake: () => void = () => {};

  const debounceMs = watched.debounceMs ?? ready?.trigger?.debounce_ms ?? DEBOUNCE_MS;
  let targets = targetsOf(first);
  const files: FileWatch = watchFiles({
    targets,
    debounceMs,
    onChange(changed) {
      const counted = underWay !== undefined && ready?.trigger?.overlap === 'skip' ? changed.filter((file) => !isTriggers(file)) : changed;
      for (const file of counted) queue.set(file.path, file);
      if (counted.length === 0) return;
      if (underWay !== undefined && watched.onChangeDuringRun === 'restart' && !isRestarting && !isInterrupted) {
        isRestarting = true;
        for (const file of underWay.files) if (!queue.has(file.path)) queue.set(file.path, file);
        underWay.run.say('Restarting: what runs is being stopped.');
        underWay.run.cancel();
      }
      wake();
    },
    onProblem: (message) => cli.err.line(`warning: ${showControls(message)}`),
  });

  const handlers = (Object.keys(signalExitCode) as EndingSignal[]).map((signal) => {
    const handle = (): void => interrupt(signal);
    process.on(signal, handle);
    return () => process.off(signal, handle);
  });
  const keys = listenToKeys(cli, (key) => {
    if (key === 'q') end(exitCode.done);
    if (key === 'r') isAsked = true;
    wake();
  });

  try {
    if (watched.runsFirst && changedInputs.length === 0) {
      await Promise.race([files.quiet(), ended()]);
      // What came to rest before the first run is what the first run reads.
      queue.clear();
      if (ending === undefined) await round({ type: 'start' });
    } else {
      await Promise.race([files.begun, ended()]);
      tell(first);
      waiting();
    }
    while (ending === undefined) {
      const cause = await next();
      if (cause === undefined) break;
      await round(cause);
    }
  } finally {
    for (const off of handlers) off();
    keys?.close();
    await files.close();
  }
  return ending ?? exitCode.done;

  async function next(): Promise<Cause | undefined> {
    while (ending === undefined) {
      if (isAsked) {
        isAsked = false;
        queue.clear();
        return { type: 'asked' };
      }
      if (queue.size > 0) {
        const changed = [...queue.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
        queue = new Map();
        if (programs.allows(changed)) return { type: 'changed', files: changed };
        say(`not run again: for several runs, every change was made while the run's own programs ran (${shownPaths(changed).join(', ')}).`);
        say(`The workflow seems to start itself. The next change runs it again${keys === undefined ? '' : ', and so does r'}.`);
        continue;
      }
      await woken();
    }
    return undefined;
  }

  /** Reads the workflow anew and runs it: once, or once for each changed path where an input takes that. */
  async function round(cause: Cause): Promise<void> {
    const changed = cause.type === 'changed' ? cause.files : [];
    if (changed.length > 0) say(changedLine(shownPaths(changed)));
    const loaded = load();
    tell(loaded);
    ready = loaded.kind === 'ready' ? loaded : undefined;
    retarget(loaded);
    if (loaded.kind !== 'ready') return waiting();
    const gates = gateMode(cli, loaded.plan, undefined);
    const checked = checkChanged(changedInputs, loaded.plan.inputs, itemGlobs(loaded).length > 0);
    const agents = await agentSettings(cli, project, loaded.plan, watched.agents);
    for (const outcome of [gates, checked, agents]) if (!outcome.ok) refuse(cli, outcome.problem);
    if (!gates.ok || !checked.ok || !agents.ok) return waiting();

    programs.begin();
    for (const { assignments, trigger } of runsOf(loaded, cause)) {
      const begun = await begin(loaded, assignments, trigger);
      if (!begun.ok) {
        refuseInputs(loaded, begun.problems);
        continue;
      }
      inputs = begun.begin.inputs;
      retarget(loaded);
      if (ending !== undefined) return;
      const giveBack = whatAsks(loaded.plan) !== undefined ? keys?.lend() : undefined;
      const run = runOnce(cli, {
        ...loaded,
        begin: begun.begin,
        secretInputs: begun.secretInputs,
        host,
        agents: agents.value,
        gates: gates.value,
        writing,
        onEvent: programs.event,
        ...(watched.maxParallel === undefined ? {} : { maxParallel: watched.maxParallel }),
      });
      underWay = { run, files: changed };
      let status: RunResult['status'];
      try {
        status = await run.done;
      } finally {
        underWay = undefined;
        giveBack?.();
      }
      if (status === 'cancelled' || ending !== undefined) break;
    }
    // Whoever stops a run does not want the next one at once.
    if (isInterrupted) queue.clear();
    isInterrupted = false;
    isRestarting = false;
    if (queue.size === 0) waiting();
  }

  function tell(loaded: LoadedWorkflow): void {
    if (loaded.kind === 'missing') refuse(cli, loaded.problem);
    else reportDiagnostics(cli, loaded.compiled, loaded.kind === 'broken');
  }

  function runsOf(loaded: Ready, cause: Cause): readonly { readonly assignments: readonly string[]; readonly trigger: JsonObject }[] {
    const paths = cause.type === 'changed' ? cause.files.map(({ path }) => toWorkspace(path)) : [];
    if (changedInputs.length === 0) {
      const trigger = paths.length > 0 ? { type: 'file_change', path: paths[0]!, paths } : { type: 'manual', path: null, paths };
      return [{ assignments: [], trigger }];
    }
    const globs = itemGlobs(loaded);
    const items = cause.type === 'changed' ? cause.files.filter(({ path }) => globs.some((glob) => isCoveredBy(glob, path))) : [];
    // Where only the workflow changed, it is the last paths that it is tried on again.
    if (items.length > 0) lastPaths = items.filter(({ exists }) => exists).map(({ path }) => toWorkspace(path));
    return lastPaths.map((path) => ({
      assignments: changedInputs.map((name) => `${name}=${path}`),
      trigger: { type: 'file_change', path, paths: [path] },
    }));
  }

  function begin({ plan, sources }: Ready, assignments: readonly string[], trigger: Json): Promise<Begun> {
    return beginRun({
      plan,
      workflowHash: workflowHash(sources),
      inputs: { assignments: [...fixed, ...assignments], document: undefined, env: cli.env },
      trigger,
      host,
      readFile: templateFiles(createRegistry({ tools: builtinTools, host: host.tools, policy: plan.policy }), host),
    });
  }

  function refuseInputs({ plan, source }: Ready, problems: Extract<Begun, { ok: false }>['problems']): number {
    reportDiagnostics(cli, { diagnostics: inputDiagnostics(plan, source, problems), sources: [source] }, true);
    return exitCode.refused;
  }

  function targetsOf(loaded: Exclude<LoadedWorkflow, { kind: 'missing' }>): WatchTargets {
    if (loaded.kind === 'broken') return { files: loaded.asked, globs: flagGlobs() };
    const read = readPaths(loaded.plan, inputs, project.root);
    return { files: [...new Set([...loaded.asked, ...read.files])], globs: [...itemGlobs(loaded), ...read.globs] };
  }

  /** What a workflow that is broken read before stays watched: it is about to be mended. */
  function retarget(loaded: LoadedWorkflow): void {
    if (loaded.kind === 'missing') return;
    targets = loaded.kind === 'ready' ? targetsOf(loaded) : { ...targets, files: [...new Set([...targets.files, ...loaded.asked])] };
    files.retarget(targets);
  }

  function flagGlobs(): readonly WatchGlob[] {
    return watched.globs.map((pattern) => ({ root: cli.cwd, pattern }));
  }

  function triggerGlobs(trigger: Ready['trigger']): readonly WatchGlob[] {
    if (trigger === undefined) return [];
    const ignore = trigger.ignore === undefined ? {} : { ignore: trigger.ignore };
    return [trigger.glob].flat().map((pattern) => ({ root: project.root, pattern, ...ignore }));
  }

  /** Patterns whose files are what the workflow is about. */
  function itemGlobs({ trigger }: Ready): readonly WatchGlob[] {
    return [...flagGlobs(), ...triggerGlobs(trigger)];
  }

  function isTriggers({ path }: ChangedFile): boolean {
    return triggerGlobs(ready?.trigger).some((glob) => isCoveredBy(glob, path));
  }

  function writing(): (path: string | undefined) => void {
    const written = files.writing();
    return (path) => written(path === undefined ? undefined : resolve(project.root, path));
  }

  function toWorkspace(path: string): string {
    const short = relative(project.root, path);
    return short.startsWith('..') || isAbsolute(short) ? path : short.split(sep).join('/');
  }

  function shownPaths(changed: readonly ChangedFile[]): readonly string[] {
    return changed.map(({ path }) => toWorkspace(path));
  }

  function interrupt(signal: EndingSignal): void {
    if (underWay === undefined) return end(signalExitCode[signal]);
    if (signal === 'SIGINT' && !isInterrupted) {
      isInterrupted = true;
      underWay.run.say('Cancelling: what runs is being stopped. Ctrl-C again quits.');
      return underWay.run.cancel();
    }
    end(signalExitCode[signal]);
  }

  /** A run under way is stopped in good order the first time, and at once the second. */
  function end(code: number): void {
    const isFirst = ending === undefined && !isInterrupted && !isRestarting;
    ending ??= code;
    underWay?.run.cancel();
    if (underWay !== undefined && !isFirst) setTimeout(() => process.exit(ending), LAST_GRACE_MS).unref();
    wake();
  }

  function woken(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
    });
  }

  async function ended(): Promise<void> {
    while (ending === undefined) await woken();
  }

  function waiting(): void {
    if (ending !== undefined) return;
    say(keys === undefined ? 'waiting for changes' : 'waiting for changes (r: run again, q: quit)');
  }

  function say(text: string): void {
    if (!cli.json && !cli.quiet) cli.err.line(cli.err.paint.dim(text));
  }
}
