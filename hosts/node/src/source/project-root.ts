import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * The project that a folder belongs to: its nearest parent, itself included, that has a folder `.relavium`; otherwise the folder itself.
 * The one in the home holds personal settings and makes no project of everything below.
 */
export function projectRoot(cwd: string, home: string = homedir()): string {
  const start = resolve(cwd);
  const notHere = resolve(home);
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder !== notHere && isFolder(join(folder, '.relavium'))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
