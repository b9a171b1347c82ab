import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CasesRequest } from './arguments.js';

/** The folder of cases: `RELAVIUM_CASES` as seen from where npm was called, else the project's own copy. */
export function corpusFolder(environment: NodeJS.ProcessEnv): string {
  const calledFrom = environment.INIT_CWD ?? process.cwd();
  const named = environment.RELAVIUM_CASES;
  return named ? resolve(calledFrom, named) : fileURLToPath(new URL('../../cases/', import.meta.url));
}

/** The areas that the folder holds, named as on the command line. */
export function areasIn(folder: string): string[] {
  const security = join(folder, 'security');
  const names = existsSync(security) ? readdirSync(security).filter((name) => name.endsWith('.jsonl')) : [];
  return [
    ...(existsSync(join(folder, 'conformance', 'scenarios.jsonl')) ? ['conformance'] : []),
    ...names.sort().map((name) => `security/${name.slice(0, -'.jsonl'.length)}`),
  ];
}

/** Parsed lines of one area's file. */
export function readArea(folder: string, area: string): Record<string, unknown>[] {
  const file = area === 'conformance' ? join(folder, 'conformance', 'scenarios.jsonl') : join(folder, `${area}.jsonl`);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export function isWanted(entry: Record<string, unknown>, request: CasesRequest): boolean {
  if (request.firmOnly && basisOf(entry) !== undefined) return false;
  return request.only.every(([key, value]) => valuesOf(entry, key).includes(value));
}

export function basisOf(entry: Record<string, unknown>): unknown {
  return isRecord(entry.context) ? entry.context.basis : undefined;
}

function valuesOf(entry: Record<string, unknown>, key: string): string[] {
  return [entry, entry.context, entry.input]
    .filter(isRecord)
    .filter((holder) => Object.hasOwn(holder, key))
    .map((holder) => (typeof holder[key] === 'string' ? holder[key] : JSON.stringify(holder[key])));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
