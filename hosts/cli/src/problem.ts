import { showControls } from '@relavium/engine';
import type { Cli } from './cli.js';
import { exitCode } from './exit-code.js';

/** Why nothing was done, for a person: what is wrong, and what to do next. */
export interface Problem {
  readonly message: string;
  readonly next?: string;
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function problem(message: string, next?: string): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem: next === undefined ? { message } : { message, next } };
}

/** Tells the person and gives the exit code for "nothing ran". */
export function refuse(cli: Cli, { message, next }: Problem): number {
  const { paint } = cli.err;
  cli.err.line(`${paint.red('error')}: ${showControls(message)}`);
  if (next !== undefined) for (const line of next.split('\n')) cli.err.line(`  ${showControls(line)}`);
  return exitCode.refused;
}
