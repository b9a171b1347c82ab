import { existsSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { SourceReader, SourceText } from '@relavium/engine';
import { createSourceReader, projectRoot } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';
import { readText } from './read-text.js';

/** The folder that a command works in, with the files that compile may read. */
export interface Project {
  /** Absolute: the nearest parent that has `.relavium/`, else the working directory. */
  readonly root: string;
  readonly reader: SourceReader;
}

export function openProject(cli: Cli): Project {
  const root = projectRoot(cli.cwd);
  return { root, reader: createSourceReader({ root }) };
}

/** A path as messages show it: relative to the working directory unless it is somewhere else. */
export function shownPath(cli: Cli, path: string): string {
  const short = relative(cli.cwd, path);
  return short === '' || short.startsWith(`..${sep}..`) || isAbsolute(short) ? path : short;
}
