import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
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

/** The one program that a command names, as an absolute path; `undefined` where there is none that may be executed. */
export async function findExecutable(command: string, places: SearchPlaces): Promise<string | undefined> {
  for (const candidate of candidates(command, places)) {
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
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

async function isExecutable(path: string): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false;
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
