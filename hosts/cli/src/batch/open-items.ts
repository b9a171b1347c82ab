import { createReadStream, type Stats, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { type ItemFormat, type ReadItems, readItems } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';

export interface OpenedItems extends ReadItems {
  /** What messages call the source. */
  readonly shown: string;
  /** In bytes; absent where it cannot be known before the end. */
  readonly size?: number;
  /** Reads no further: a pipe that stays open would keep this process waiting. */
  close(): void;
}

/** The items that `--items` names: a file whose ending tells the format, or standard input, whose first character does. */
export async function openItems(cli: Cli, named: string): Promise<Outcome<OpenedItems>> {
  if (named === '-') return opened(cli.stdin, undefined, { shown: 'standard input' });
  const ending = extname(named).toLowerCase();
  if (!Object.hasOwn(FORMATS, ending)) {
    return problem(
      `--items ${named}: the ending tells no format`,
      'Items are a .csv, .jsonl or .json file; - reads any of them from standard input.',
    );
  }
  const path = resolve(cli.cwd, named);
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return problem(`--items ${named} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`);
  }
  if (stats === undefined) return problem(`--items: there is no file ${named}`, 'Check the path; it is relative to the working directory.');
  if (stats.isDirectory()) return problem(`--items ${named} is a directory`, 'Name a file in it.');
  const size = stats.isFile() ? { size: stats.size } : {};
  return opened(createReadStream(path), FORMATS[ending], { shown: named, ...size });
}

async function opened(
  stream: Readable,
  format: ItemFormat | undefined,
  about: Pick<OpenedItems, 'shown' | 'size'>,
): Promise<Outcome<OpenedItems>> {
  return done({ ...(await readItems(stream, format)), ...about, close: () => void stream.destroy() });
}

const FORMATS: Readonly<Record<string, ItemFormat>> = { '.csv': 'csv', '.jsonl': 'jsonl', '.ndjson': 'jsonl', '.json': 'json' };
