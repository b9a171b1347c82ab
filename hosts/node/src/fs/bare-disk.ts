import type { Entry, PathOperations } from './path-operations.js';
import { type Platform, pathRules } from './path-rules.js';

/** A disk on which nothing is but these folders and those above them: what a policy would say on another platform can be asked here. */
export function bareDisk(platform: Platform, folders: readonly string[]): PathOperations {
  const rules = pathRules(platform);
  const there = new Set<string>();
  for (const folder of folders) {
    for (let at = rules.resolve(folder, '.'); !there.has(keyOf(at)); at = rules.dirname(at)) there.add(keyOf(at));
  }
  const statSync = (path: string): Entry => {
    const index = [...there].indexOf(keyOf(path));
    if (index < 0) throw Object.assign(new Error('there is nothing'), { code: 'ENOENT' });
    return {
      dev: 1,
      ino: index + 1,
      mode: 0o700,
      uid: 0,
      nlink: 1,
      isFile: () => false,
      isDirectory: () => true,
      isSymbolicLink: () => false,
    };
  };
  const realpathSync = (path: string): string => {
    statSync(path);
    return path;
  };
  return { platform, statSync, realpathSync, lstat: async (path) => statSync(path), realpath: async (path) => realpathSync(path) };

  function keyOf(path: string): string {
    return platform === 'win32' ? path.toLowerCase() : path;
  }
}
