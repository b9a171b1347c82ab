import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository: string = fileURLToPath(new URL('../../', import.meta.url));
export const binary: string = join(repository, 'hosts/cli/bin/relavium.js');

export interface Ended {
  /** Absent when a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** The environment of every test: none of the machine's colour, locale or CI settings gets in. */
export function environment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, LANG: 'C.UTF-8', TERM: 'xterm', ...extra };
}

export function start(args: readonly string[], { cwd = repository, env = {} }: Start = {}): ChildProcess {
  return spawn(process.execPath, [binary, ...args], { cwd, env: environment(env), stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Runs the built command to its end. */
export async function relavium(args: readonly string[], options: Start = {}): Promise<Ended> {
  const child = start(args, options);
  // A command that does not read its input closes it, which is no error of the test.
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.stdin ?? '');
  return ended(child);
}

export async function ended(child: ChildProcess): Promise<Ended> {
  const stdout = collected(child.stdout);
  const stderr = collected(child.stderr);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (...how) => resolve(how));
  });
  return { code, signal, stdout: stdout.text, stderr: stderr.text };
}

function collected(stream: NodeJS.ReadableStream | null): { text: string } {
  const kept = { text: '' };
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    kept.text += chunk;
  });
  return kept;
}

/** A new folder with these files. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'relavium-test-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Text with what differs from run to run replaced: lengths of time, instants, run ids. */
export function stable(text: string): string {
  return text
    .replaceAll(/\b\d+ min \d\d s\b|\b\d+(?:\.\d+)? m?s\b/g, '<time>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<instant>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>');
}
