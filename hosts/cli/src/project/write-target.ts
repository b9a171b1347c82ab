import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';

/**
 * The file that `flag` names for results: judged before anything runs. What the command itself reads is never written over, by whatever
 * name; `-` and what was not given are no files.
 */
export function writeTarget(cli: Cli, flag: string, named: string, reads: readonly (string | undefined)[]): Outcome<string> {
  const path = resolve(cli.cwd, named);
  if (statsOf(dirname(path))?.isDirectory() !== true)
    return problem(`${flag} ${named}: there is no directory ${dirname(named)}`, 'Make it first, or name another file.');
  const target = statsOf(path);
  if (target === undefined) return done(path);
  if (target.isDirectory()) return problem(`${flag} ${named} is a directory`, 'Name a file in it.');
  const read = reads.find((other) => other !== undefined && other !== '-' && isSame(statsOf(resolve(cli.cwd, other)), target));
  return read === undefined ? done(path) : problem(`${flag} ${named} is ${read}, which is read here`, 'Name another file.');
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function isSame(one: Stats | undefined, other: Stats): boolean {
  return one?.dev === other.dev && one.ino === other.ino;
}
