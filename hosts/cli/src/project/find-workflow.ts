import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { nearName, type SourceText } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';
import { type ListedWorkflow, listProject } from './list-project.js';
import type { Project } from './open-project.js';
import { readSource } from './read-source.js';

/** The workflow that somebody named: a file, or an id. An id is looked up in `.relavium/workflows/`, then in the whole project. */
export function findWorkflow(cli: Cli, project: Project, named: string): Outcome<SourceText> {
  const path = resolve(cli.cwd, named);
  if (existsSync(path) || looksLikePath(named)) return readSource(cli, named);
  const read = project.reader.byId('workflow', named);
  if (read.ok) return done(read.source);
  const listed = listProject(cli, project);
  const matches = listed.filter(({ id }) => id === named);
  if (matches.length > 1)
    return problem(`several workflows have the id "${named}": ${matches.map(({ file }) => file).join(', ')}`, 'Name the file instead.');
  const [match] = matches;
  return match === undefined ? unknownWorkflow(named, listed) : readSource(cli, match.file);
}

function unknownWorkflow(named: string, listed: readonly ListedWorkflow[]): Outcome<SourceText> {
  const ids = listed.flatMap(({ id }) => id ?? []);
  const near = nearName(named, ids);
  const known =
    ids.length === 0
      ? 'This project has no workflows; "relavium init" makes a first one.'
      : `Workflows of this project: ${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ', …' : ''}.`;
  return problem(`there is no file and no workflow "${named}"`, near === undefined ? known : `Did you mean "${near}"? ${known}`);
}

function looksLikePath(named: string): boolean {
  return /[\\/]/.test(named) || /\.ya?ml$/i.test(named);
}
