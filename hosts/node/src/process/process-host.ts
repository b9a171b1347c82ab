import { realpathSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type CallContext, type Clock, HostError, type ProcessHost, type ProcessRequest, type ProcessResult } from '@relavium/engine';
import { nodeClock } from '../clock/node-clock.js';
import { pathDenied } from '../fs/path-denied.js';
import { nativePlatform, pathRules } from '../fs/path-rules.js';
import { baseEnvironment, type Variables } from './base-environment.js';
import { findExecutable } from './find-executable.js';
import { type OutputCapture, outputCapture } from './output-capture.js';
import { type ProcessGroup, processGroup } from './process-group.js';
import { childStarter, HELPER, type HelperOptions } from './start-child.js';
import type { Exit, StartedChild } from './started-child.js';

export interface ProcessHostOptions {
  /** Absolute. Where commands run, and where none is found by its bare name. */
  readonly workspace: string;
  /** The host's own variables; programs get the few that `baseEnvironment` names. */
  readonly environment: Variables;
  /** Default: the helper that is installed beside this module. */
  readonly helper?: HelperOptions;
}

/** From the request to end until it is enforced. */
const GRACE_MS = 3_000;
/** How long a pipe that something else holds open is read on after the command itself has ended. */
const DRAIN_MS = 200;

/**
 * Starts programs by `spawn` of Node itself: the program is found, its output bounded and its whole tree ended here, and of a library
 * nothing would be left but its cost of a start. When a command ends, whatever it left running is ended too, each time.
 */
export function createProcessHost({ workspace, environment, helper = HELPER }: ProcessHostOptions): ProcessHost {
  const platform = nativePlatform();
  const rules = pathRules(platform);
  const base = baseEnvironment(environment, platform);
  const groups = liveGroups();
  const clock = nodeClock();
  const startChild = childStarter(helper);

  const workingFolder = (cwd: string | undefined, canonicalWorkspace: string): string => {
    if (cwd === undefined) return canonicalWorkspace;
    const lexical = rules.resolve(workspace, cwd);
    const canonical = rules.refusedSpelling(cwd) === undefined ? realFolder(lexical) : undefined;
    if (canonical === undefined) throw new HostError('tool_failed', 'no_cwd', `the working folder ${cwd} does not exist`, { cwd });
    if (!rules.isInside(workspace, lexical) || !rules.isInside(canonicalWorkspace, canonical)) {
      throw pathDenied(cwd, 'the working folder is outside the workspace', 'cwd');
    }
    return canonical;
  };

  return {
    async run(request, call) {
      if (call.signal.aborted) throw cancelled(request);
      const canonicalWorkspace = realpathSync.native(workspace);
      const cwd = workingFolder(request.cwd, canonicalWorkspace);
      const file = findExecutable(request.command, {
        path: base.PATH ?? '',
        extensions: (base.PATHEXT ?? '').split(';').filter((extension) => extension !== ''),
        cwd,
        workspace: [workspace, canonicalWorkspace],
        rules,
      });
      if (file === undefined) {
        throw new HostError('tool_failed', 'not_found', `there is no program ${request.command}`, { command: request.command });
      }
      const { command, args, stdin } = request;
      const env = { ...base, ...request.env };
      const start = async () => startChild({ file, argv0: command, args, cwd, env, ...(stdin === undefined ? {} : { stdin }) });
      return supervise({ request, call, clock, groups, start });
    },
  };
}

function realFolder(path: string): string | undefined {
  try {
    const canonical = realpathSync.native(path);
    return statSync(canonical).isDirectory() ? canonical : undefined;
  } catch {
    return undefined;
  }
}

interface Supervision {
  readonly request: ProcessRequest;
  readonly call: CallContext;
  readonly clock: Clock;
  readonly groups: LiveGroups;
  start(): Promise<StartedChild>;
}

async function supervise({ request, call, clock, groups, start }: Supervision): Promise<ProcessResult> {
  const startedAt = performance.now();
  const child = await started(start, request);
  const group = processGroup(child.pid);
  groups.add(group);
  const stdout = captured(child.stdout, request.maxOutputBytes, call.onOutput?.bind(undefined, 'stdout'));
  const stderr = captured(child.stderr, request.maxOutputBytes, call.onOutput?.bind(undefined, 'stderr'));
  const { exited, closed } = child;
  const interruption = interrupted(request, call, clock);

  const first = await Promise.race([exited.then((exit) => ({ exit })), interruption.happened]);
  interruption.forget();
  const isOver = 'exit' in first && first.exit !== 'lost';
  // What is still writing when the command itself has ended gets a moment to finish.
  if (isOver) await withinDrain(closed);
  const ending = groups.end(group);
  const treeEnded = isOver || (await ending);
  await withinDrain(closed);
  child.stdout.destroy();
  child.stderr.destroy();

  const output = { stdout: stdout.finish(), stderr: stderr.finish() };
  if (!('exit' in first)) throw ended(first.why, request, treeEnded, output.stderr.text);
  if (first.exit === 'lost') throw new HostError('tool_failed', 'lost', `how ${request.command} has ended is not known`, { treeEnded });
  return {
    exitCode: exitCodeOf(first.exit),
    stdout: output.stdout.text,
    stderr: output.stderr.text,
    durationMs: Math.round(performance.now() - startedAt),
    ...(output.stdout.truncated || output.stderr.truncated ? { truncated: true } : {}),
    ...(output.stdout.invalidUtf8 || output.stderr.invalidUtf8 ? { invalidUtf8: true } : {}),
  };
}

async function started(start: () => Promise<StartedChild>, { command }: ProcessRequest): Promise<StartedChild> {
  try {
    return await start();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new HostError('tool_failed', 'spawn_failed', `${command} could not be started: ${code}`, { command, system: code }, error);
  }
}

function exitCodeOf({ code, signal }: Exclude<Exit, 'lost'>): number {
  return code ?? 128 + constants.signals[signal!];
}

/** An open pipe keeps this process alive by itself; the timer must not, once the pipes are closed. */
async function withinDrain(closed: Promise<void>): Promise<void> {
  await Promise.race([closed, pause(DRAIN_MS, undefined, { ref: false })]);
}

type Why = 'timeout' | 'cancelled';

interface Interruption {
  readonly happened: Promise<{ readonly why: Why }>;
  forget(): void;
}

function interrupted({ timeoutMs }: ProcessRequest, { signal }: CallContext, clock: Clock): Interruption {
  const forgets: (() => void)[] = [];
  const happened = new Promise<{ readonly why: Why }>((resolve) => {
    const onAbort = () => resolve({ why: 'cancelled' });
    signal.addEventListener('abort', onAbort, { once: true });
    forgets.push(() => signal.removeEventListener('abort', onAbort));
    if (signal.aborted) onAbort();
    if (timeoutMs !== undefined) forgets.push(clock.at(clock.now() + timeoutMs, () => resolve({ why: 'timeout' })));
  });
  return {
    happened,
    forget() {
      for (const forget of forgets) forget();
    },
  };
}

function ended(why: Why, request: ProcessRequest, treeEnded: boolean, stderr: string): HostError {
  if (why === 'cancelled') return cancelled(request, treeEnded);
  // More than is shown of it: what holds a secret is not to be cut in two before it is masked.
  const tail = stderr.slice(-65_536);
  const details = { timeoutMs: request.timeoutMs!, treeEnded, ...(tail.trim() === '' ? {} : { stderrTail: tail }) };
  return new HostError('timeout', 'timeout', `${request.command} did not end within ${request.timeoutMs} ms`, details);
}

function cancelled({ command }: ProcessRequest, treeEnded = true): HostError {
  return new HostError('cancelled', 'cancelled', `${command} was cancelled`, { treeEnded });
}

/** Reads on whatever comes, so that the child never waits for us, and keeps what fits. */
function captured(stream: Readable, maxBytes: number, onText: ((text: string) => void) | undefined): OutputCapture {
  const capture = outputCapture(maxBytes);
  stream.on('data', capture.push);
  stream.on('error', () => undefined);
  if (onText === undefined) return capture;
  const decoder = new TextDecoder('utf-8');
  const pass = (text: string) => {
    if (text !== '') onText(text);
  };
  stream.on('data', (bytes: Buffer) => pass(decoder.decode(bytes, { stream: true })));
  stream.on('end', () => pass(decoder.decode()));
  return capture;
}

interface LiveGroups {
  add(group: ProcessGroup): void;
  /** Ends what is left of a group. It is known until it is gone. */
  end(group: ProcessGroup): Promise<boolean>;
}

/** Groups outlive this process unless they are ended, so what is still there when it exits is killed. */
function liveGroups(): LiveGroups {
  const groups = new Set<ProcessGroup>();
  const killAll = () => {
    for (const group of groups) group.kill();
  };
  return {
    add(group) {
      if (groups.size === 0) process.on('exit', killAll);
      groups.add(group);
    },
    async end(group) {
      const isGone = !group.isAlive() || (await group.end(GRACE_MS));
      if (isGone) groups.delete(group);
      if (groups.size === 0) process.removeListener('exit', killAll);
      return isGone;
    },
  };
}
