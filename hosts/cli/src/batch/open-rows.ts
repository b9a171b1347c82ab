import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openRowFile } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';
import { writeData } from '../render/write-data.js';

/** Where the rows of a batch go. */
export interface Rows {
  /** What went wrong, if something did: nothing is written any more then. */
  write(rows: string): string | undefined;
  close(): void;
}

/** The file that `--out` names, made anew, or standard output. What the batch reads is never emptied, by whatever name it goes. */
export function openRows(cli: Cli, named: string | undefined, reads: readonly string[]): Outcome<Rows> {
  if (named === undefined) return done({ write: (rows) => void writeData(cli.out, rows), close: () => {} });
  const path = resolve(cli.cwd, named);
  if (existsSync(path) && statSync(path).isDirectory()) return problem(`--out ${named} is a directory`, 'Name a file in it.');
  if (!existsSync(dirname(path)))
    return problem(`--out ${named}: there is no directory ${dirname(named)}`, 'Make it first, or name another file.');
  const read = reads.find((other) => isSameFile(resolve(cli.cwd, other), path));
  if (read !== undefined) return problem(`--out ${named} is ${read}, which the batch reads`, 'Name another file for the rows.');
  try {
    return done(openRowFile(path));
  } catch (error) {
    return problem(`--out ${named} cannot be written to (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}

function isSameFile(one: string, other: string): boolean {
  const stats = statSync(one, { throwIfNoEntry: false });
  const others = statSync(other, { throwIfNoEntry: false });
  return stats !== undefined && others !== undefined && stats.dev === others.dev && stats.ino === others.ino;
}
