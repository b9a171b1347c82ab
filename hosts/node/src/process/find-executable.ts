import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PathRules } from '../fs/path-rules.js';

export interface SearchPlaces {
  /** `PATH` of the child's environment, absolute folders only. */
  readonly path: string;
  /** Windows: what may be appended to a name. */
  readonly extensions: readonly string[];
  /** A written path is relative to this folder. */
  readonly cwd: string;
  /** Both spellings of the workspace: folders of `PATH` inside it are passed over, so no file there can take a program's name. */
  readonly workspace: readonly string[];
  readonly rules: PathRules;
}

/**
 * The one program that a command names, as an absolute path; `undefined` where there is none that may be executed. Synchronous: a look
 * takes microseconds, and a hop to another thread for each would be a good part of the cost of a short command.
 */
export function findExecutable(command: string, places: SearchPlaces): string | undefined {
  return candidates(command, places).find(isExecutable);
}

function candidates(command: string, { path, extensions, cwd, workspace, rules }: SearchPlaces): readonly string[] {
  const isWritten = command.includes('/') || (rules.platform === 'win32' && /[\\:]/u.test(command));
  const names = rules.platform === 'win32' ? [command, ...extensions.map((extension) => command + extension)] : [command];
  if (isWritten) return names.map((name) => resolve(cwd, name));
  const folders = path
    .split(rules.platform === 'win32' ? ';' : ':')
    .filter((folder) => folder !== '' && !workspace.some((inside) => rules.isInside(inside, folder)));
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

function isExecutable(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
