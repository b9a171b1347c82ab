import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';

/** The file that `flag` names for results: judged before anything runs. What the command itself `reads` is never written over, by whatever name. */
export function writeTarget(cli: Cli, flag: string, named: string, reads: readonly string[]): Outcome<string> {
  const path = resolve(cli.cwd, named);
  if (existsSync(path) && statSync(path).isDirectory()) return problem(`${flag} ${named} is a directory`, 'Name a file in it.');
  const folder = dirname(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    return problem(`${flag} ${named}: there is no directory ${dirname(named)}`, 'Make it first, or name another file.');
  const read = reads.find((other) => isSameFile(resolve(cli.cwd, other), path));
  return read === undefined ? done(path) : problem(`${flag} ${named} is ${read}, which is read here`, 'Name another file.');
}

function isSameFile(one: string, other: string): boolean {
  const stats = statSync(one, { throwIfNoEntry: false });
  const others = statSync(other, { throwIfNoEntry: false });
  return stats !== undefined && others !== undefined && stats.dev === others.dev && stats.ino === others.ino;
}
