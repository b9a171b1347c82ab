import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { nearName, type SourceText } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';
import type { Project } from './open-project.js';
import { readSource } from './read-source.js';

/** The workflow that somebody named: a file, or the id of one in `.relavium/workflows/`. */
export function findWorkflow(cli: Cli, project: Project, named: string): Outcome<SourceText> {
  const path = resolve(cli.cwd, named);
  if (existsSync(path) || looksLikePath(named)) return readSource(cli, project, named);
  const read = project.reader.byId('workflow', named);
  if (read.ok) return done(read.source);
  const ids = project.reader.ids('workflow');
  if (ids.includes(named)) return problem(`the workflow "${named}" cannot be used: ${read.message}`);
  const near = nearName(named, ids);
  const known = ids.length === 0 ? 'This project has no workflows in .relavium/workflows/; "relavium init" makes one.' : `Workflows of this project: ${ids.join(', ')}.`;
  return problem(`there is no file and no workflow "${named}"`, near === undefined ? known : `Did you mean "${near}"? ${known}`);
}

function looksLikePath(named: string): boolean {
  return /[\\/]/.test(named) || /\.ya?ml$/i.test(named);
}
