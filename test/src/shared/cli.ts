import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const binary: string = fileURLToPath(new URL('../../../hosts/cli/bin/relavium.js', import.meta.url));

export interface CliRun {
  /** Null for a process that a signal ended. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly tookMs: number;
  readonly isHung: boolean;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: Uint8Array | string;
  /** The reading end of standard output is closed as soon as the process runs. */
  readonly closeStdout?: boolean;
  readonly patienceMs: number;
  /** Runs the command behind this one, for a terminal of a given size. */
  readonly wrap?: (command: readonly string[]) => readonly string[];
}

/** Runs the real command as a child process and waits for its end, or kills it when patience is over. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliRun> {
  const command = [process.execPath, binary, ...args];
  const [program = process.execPath, ...rest] = options.wrap?.(command) ?? command;
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, {
      cwd: options.cwd,
      env: options.env ?? plainEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let isHung = false;
    const patience = setTimeout(() => {
      isHung = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, options.patienceMs);
    if (options.closeStdout) child.stdout.destroy();
    else child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin.on('error', () => {});
    child.stdin.end(options.stdin ?? '');
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(patience);
      resolve({
        code,
        signal,
        stdout: Buffer.concat(out).toString('utf8'),
        stderr: Buffer.concat(err).toString('utf8'),
        tookMs: Math.round(performance.now() - start),
        isHung,
      });
    });
  });
}

/** The environment of a script: no terminal, no colour wish, nothing of a CI system. */
export function plainEnvironment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  return { ...(PATH && { PATH }), ...(HOME && { HOME }), ...(LANG && { LANG }), ...(TMPDIR && { TMPDIR }), ...more };
}
