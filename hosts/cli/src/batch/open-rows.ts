import { openRowFile } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';
import { writeTarget } from '../project/write-target.js';
import { writeData } from '../render/write-data.js';

/** Where the rows of a batch go. */
export interface Rows {
  /** What went wrong, if something did: nothing is written any more then. */
  write(rows: string): string | undefined;
  close(): void;
}

/** The file that `--out` names, made anew, or standard output. What the batch reads is never emptied, by whatever name it goes. */
export function openRows(cli: Cli, named: string | undefined, reads: readonly (string | undefined)[]): Outcome<Rows> {
  if (named === undefined) return done({ write: (rows) => void writeData(cli.out, rows), close: () => {} });
  const target = writeTarget(cli, '--out', named, reads);
  if (!target.ok) return target;
  try {
    return done(openRowFile(target.value));
  } catch (error) {
    return problem(`--out ${named} cannot be written to (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
}
