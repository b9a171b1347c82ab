import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SourceText } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';
import type { Project } from './open-project.js';

/** A file that a person names, as compile takes it. */
export function readSource(cli: Cli, { reader }: Project, named: string): Outcome<SourceText> {
  const read = reader.named(named);
  if (read.ok) return done(read.source);
  if (statSync(resolve(cli.cwd, named), { throwIfNoEntry: false })?.isDirectory() === true) {
    return problem(`${named} is a directory`, 'Name a file in it; "relavium run" without a file lists the workflows of the project.');
  }
  if (read.problem === 'missing') return problem(`there is no file ${named}`, 'Check the path; it is relative to the working directory, or to --cwd.');
  return problem(read.message, 'Check its permissions, its size and its encoding, or name another file.');
}
