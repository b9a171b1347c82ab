import { win32 } from 'node:path';
import type { Entry, PathOperations } from '@relavium/host-node';

export interface TreeEntry {
  readonly path: string;
  readonly type: 'file' | 'dir' | 'symlink' | 'junction';
  readonly target?: string;
  /** Its 8.3 name. */
  readonly short?: string;
}

/** A Windows disk that exists only as a list of entries: names without case, short names, links. Parents are there where a child is. */
export function simulatedWindows(tree: readonly TreeEntry[]): PathOperations {
  const entries = new Map<string, TreeEntry>();
  const put = (entry: TreeEntry) => {
    const parent = win32.dirname(entry.path);
    if (parent !== entry.path && !entries.has(parent.toLowerCase())) put({ path: parent, type: 'dir' });
    entries.set(entry.path.toLowerCase(), entry);
  };
  for (const entry of tree) put(entry);

  const child = (folder: string, name: string): TreeEntry | undefined => {
    const wanted = name.toLowerCase();
    return (
      entries.get(win32.join(folder, name).toLowerCase()) ??
      [...entries.values()].find(
        ({ path, short }) => short?.toLowerCase() === wanted && win32.dirname(path).toLowerCase() === folder.toLowerCase(),
      )
    );
  };
  const find = (path: string, follow: boolean, hops = 0): TreeEntry => {
    const { root } = win32.parse(path);
    let at: TreeEntry = entries.get(root.toLowerCase()) ?? fail('ENOENT');
    const names = path
      .slice(root.length)
      .split('\\')
      .filter((name) => name !== '');
    names.forEach((name, index) => {
      const found = child(at.path, name) ?? fail('ENOENT');
      const isLast = index === names.length - 1;
      if (found.target === undefined || (isLast && !follow)) at = found;
      else at = hops > 20 ? fail('ELOOP') : find(found.target, true, hops + 1);
    });
    return at;
  };
  const entryOf = ({ type, path }: TreeEntry): Entry => ({
    dev: 1,
    ino: [...entries.keys()].indexOf(path.toLowerCase()),
    mode: 0o700,
    uid: 0,
    nlink: 1,
    isFile: () => type === 'file',
    isDirectory: () => type === 'dir',
    isSymbolicLink: () => type === 'symlink' || type === 'junction',
  });
  return {
    platform: 'win32',
    realpathSync: (path) => find(path, true).path,
    statSync: (path) => entryOf(find(path, true)),
    realpath: async (path) => find(path, true).path,
    lstat: async (path) => entryOf(find(path, false)),
  };
}

function fail(code: string): never {
  throw Object.assign(new Error(code), { code });
}
