import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';

/** Where `--output` wants the outputs: judged before anything runs. `undefined`: standard output. */
export function outputTarget(cli: Cli, named: string | undefined): Outcome<string | undefined> {
  if (named === undefined) return done(undefined);
  const path = resolve(cli.cwd, named);
  if (existsSync(path) && statSync(path).isDirectory()) return problem(`--output ${named} is a directory`, 'Name a file in it.');
  const folder = dirname(path);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    return problem(`--output ${named}: there is no directory ${dirname(named)}`, 'Make it first, or name another file.');
  return done(path);
}
