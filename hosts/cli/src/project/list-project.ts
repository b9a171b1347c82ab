import { parseYaml } from '@relavium/engine';
import { validateWorkflow } from '@relavium/schemas/workflow';
import type { Cli } from '../cli.js';
import { findProjectFiles } from './find-files.js';
import { type Project, shownPath } from './open-project.js';
import { readSource } from './read-source.js';

/** A workflow file as lists show it. One that is not valid has no more than its file. */
export interface ListedWorkflow {
  readonly file: string;
  readonly id?: string;
  readonly description?: string;
}

/** All workflow files of the project, sorted by path. */
export function listProject(cli: Cli, { root }: Project): readonly ListedWorkflow[] {
  return findProjectFiles(root).workflows.map((path) => listed(cli, shownPath(cli, path)));
}

function listed(cli: Cli, file: string): ListedWorkflow {
  const source = readSource(cli, file);
  if (!source.ok) return { file };
  const checked = validateWorkflow(parseYaml(source.value).document?.value);
  if (!checked.ok) return { file };
  const { id, name, description } = checked.value.workflow;
  const about = description ?? name;
  return about === undefined ? { file, id } : { file, id, description: about };
}
