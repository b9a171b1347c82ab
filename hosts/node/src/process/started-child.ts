import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** A program to start: everything about it has been decided. */
export interface ChildSpec {
  /** Absolute. */
  readonly file: string;
  /** What the program is told that its own name is. */
  readonly argv0: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Absent: it reads end of file at once. */
  readonly stdin?: string;
}

/** A program that runs as the leader of a group of its own. */
export interface StartedChild {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<Exit>;
  /** It has exited and nothing holds its output open any more. */
  readonly closed: Promise<void>;
}

/** `lost`: what watched the program has ended, and how the program ends cannot be known. */
export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null } | 'lost';

/** Rejects with the error of the system. */
export function startHere(spec: ChildSpec): Promise<StartedChild> {
  return new Promise((resolve, reject) => {
    const child = spawnProgram(spec, ['pipe', 'pipe']);
    // Errors of a child that has started only say that a signal found nobody; by then the promise is settled.
    child.on('error', reject);
    if (child.pid === undefined) return;
    resolve({
      pid: child.pid,
      stdout: child.stdout!,
      stderr: child.stderr!,
      exited: new Promise((exited) => child.once('exit', (code, signal) => exited({ code, signal }))),
      closed: new Promise((closed) => child.once('close', () => closed())),
    });
  });
}

type Output = 'pipe' | Readable;

export function spawnProgram({ file, argv0, args, cwd, env, stdin }: ChildSpec, [stdout, stderr]: readonly [Output, Output]): ChildProcess {
  const child = spawn(file, args, {
    // Programs name themselves in messages, and some act by it: as the command was written, and not where it was found.
    argv0,
    cwd,
    env,
    shell: false,
    // The child leads a group, so that one signal reaches all of it.
    detached: process.platform !== 'win32',
    stdio: [stdin === undefined ? 'ignore' : 'pipe', stdout, stderr],
    windowsHide: true,
  });
  if (child.stdin !== null) {
    // A program need not read what it is given.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  }
  return child;
}
