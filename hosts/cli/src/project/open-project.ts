import { homedir } from 'node:os';
import { isAbsolute, relative, sep } from 'node:path';
import type { SourceReader } from '@relavium/engine';
import { createSourceReader, projectRoot } from '@relavium/host-node';
import type { Cli } from '../cli.js';

/** The folder that a command works in, with the files that compile may read. */
export interface Project {
  /** Absolute: the nearest parent that has `.relavium/`, else the working directory. */
  readonly root: string;
  readonly reader: SourceReader;
}

export function openProject(cli: Cli): Project {
  const root = projectRoot(cli.cwd, homedir());
  return { root, reader: createSourceReader({ root, cwd: cli.cwd }) };
}

/** A path as messages show it: relative to the working directory, unless it is far away. */
export function shownPath(cli: Cli, path: string): string {
  const short = relative(cli.cwd, path);
  return short === '' || short.startsWith(`..${sep}..`) || isAbsolute(short) ? path : short;
}
