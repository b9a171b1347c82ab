import { accessSync, constants, realpathSync, statSync } from 'node:fs';
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
  const { path, extensions, cwd, workspace, rules } = places;
  const isWindows = rules.platform === 'win32';
  const names = isWindows ? [command, ...extensions.map((extension) => command + extension)] : [command];
  if (command.includes('/') || (isWindows && /[\\:]/u.test(command))) return names.map((name) => resolve(cwd, name)).find(isExecutable);
  const isOfWorkspace = (folder: string): boolean => workspace.some((inside) => rules.isInside(inside, folder));
  for (const folder of path.split(isWindows ? ';' : ':')) {
    if (folder === '' || isOfWorkspace(folder)) continue;
    const found = names.map((name) => join(folder, name)).find(isExecutable);
    if (found !== undefined && !isOfWorkspace(realOf(folder))) return found;
  }
  return undefined;
}

/** A folder may be spelled through a link. */
function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
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
