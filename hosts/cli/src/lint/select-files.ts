import { statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Cli } from '../cli.js';
import { done, type Outcome, problem } from '../problem.js';
import { findProjectFiles } from '../project/find-files.js';
import type { Project } from '../project/open-project.js';

/** Absolute paths of what is to be checked, each once, in the order in which they were named. */
export function selectFiles(cli: Cli, project: Project, named: readonly string[]): Outcome<readonly string[]> {
  const found = new Set<string>();
  for (const path of named.length === 0 ? [project.root] : named) {
    const matches = filesFor(cli, path);
    if (matches.length === 0) {
      return named.length === 0
        ? problem(
            `there is nothing to check below ${project.root}`,
            'Workflows are named *.relavium.yaml; "relavium init" makes a first one.',
          )
        : problem(
            `nothing to check at ${path}`,
            'Name a file, a directory that holds *.relavium.yaml or *.agent.yaml files, or a glob in quotes.',
          );
    }
    for (const match of matches) found.add(match);
  }
  return done([...found]);
}

function filesFor(cli: Cli, named: string): readonly string[] {
  const path = resolve(cli.cwd, named);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return allFiles(path);
  // A path that is there is that path, whatever characters it has; one that is not is reported when it is read.
  if (stats !== undefined || !/[*?]/.test(named)) return [path];
  const pattern = globPattern(named);
  return allFiles(globBase(cli.cwd, named)).filter((file) => pattern.test(relative(cli.cwd, file).split(sep).join('/')));
}

function allFiles(folder: string): readonly string[] {
  const { workflows, agents } = findProjectFiles(folder);
  return [...workflows, ...agents];
}

/** The folder that everything matching the glob is below. */
function globBase(cwd: string, glob: string): string {
  const literal = glob.split('/');
  const end = literal.findIndex((part) => /[*?]/.test(part));
  return resolve(cwd, join(...['.', ...literal.slice(0, end)]));
}

/** `*` and `?` stay within a folder, `**` does not; everything else is literal. */
function globPattern(glob: string): RegExp {
  const source = glob.replace(/^\.\//, '').replaceAll(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 'u');
}
