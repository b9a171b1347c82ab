import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { validateEvent } from '../../schemas/src/event.js';
import { environment, folderWith, relavium, repository, stable } from '../cli/relavium.js';

export interface WorkflowRun {
  readonly code: number | null;
  /** Each event in one line, without what differs from run to run; the pieces in which a program printed are one line. */
  readonly events: readonly string[];
  /** The events as they are, but for times and ids. */
  readonly records: readonly unknown[];
  readonly outputs: unknown;
  readonly error: { readonly code: string; readonly path: string; readonly message: string } | undefined;
  readonly folder: string;
}

/** A new folder with these files and one of the workflows of this repository. */
export function folderFor(workflow: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = folderWith(files);
  cpSync(join(repository, 'workflows', `${workflow}.relavium.yaml`), join(folder, `${workflow}.relavium.yaml`));
  return folder;
}

/** Runs a workflow by the built command. Every event must meet the schema of events. */
export async function runWorkflow(
  workflow: string,
  folder: string,
  inputs: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<WorkflowRun> {
  const args = [...inputs.flatMap((input) => ['-i', input]), ...flags];
  const { code, stdout, stderr } = await relavium(['run', '--json', `${workflow}.relavium.yaml`, ...args], { cwd: folder });
  expect(stderr).toBe('');
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const event of events) expect({ event, issues: issuesOf(event) }).toEqual({ event, issues: [] });
  const last = events.at(-1);
  return {
    code,
    events: events.map(inOneLine).filter(isFirstPiece),
    records: events.map(withoutTimesAndIds),
    outputs: last.outputs,
    error: last.error,
    folder,
  };
}

export function git(folder: string, ...args: readonly string[]): string {
  const identity = [
    '-c',
    'user.name=test',
    '-c',
    'user.email=test@localhost',
    '-c',
    'commit.gpgsign=false',
    '-c',
    'init.defaultBranch=main',
  ];
  return execFileSync('git', [...identity, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...environment(), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
}

function issuesOf(event: unknown): readonly unknown[] {
  const checked = validateEvent(event);
  return checked.ok ? [] : checked.issues;
}

/** A pipe cuts a program's output where it likes. */
const isFirstPiece = (line: string, at: number, lines: readonly string[]) => !line.startsWith('tool:output ') || lines.indexOf(line) === at;

/** Also where a text holds them: results of tools do. */
function withoutTimesAndIds({ runId, ...event }: Readonly<Record<string, unknown>>): unknown {
  const text = JSON.stringify(event, (key, value) => (key === 'ts' || key === 'durationMs' ? undefined : value));
  return JSON.parse(text.replaceAll(String(runId), '<run>').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<instant>'));
}

const shownKeys = ['node', 'index', 'attempt', 'selected', 'reason', 'handled', 'tool', 'ok'] as const;

function inOneLine(event: Readonly<Record<string, unknown>>): string {
  const parts = shownKeys.flatMap((key) =>
    event[key] === undefined ? [] : [key === 'node' ? String(event[key]) : `${key}=${event[key]}`],
  );
  const code = (event.error as { readonly code?: string } | undefined)?.code;
  return stable([event.type, ...parts, ...(code === undefined ? [] : [code])].join(' '));
}
