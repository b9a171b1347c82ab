import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { deepestFolder } from './deepest-folder.js';

export interface FolderWatch {
  /** Watches the folders of these files, absolute and with links followed, and nothing that is in them. */
  retarget(files: readonly string[]): void;
  close(): void;
}

export interface FolderWatchOptions {
  /** Something may have happened to this file. */
  readonly onHint: (file: string) => void;
  readonly onProblem: (folder: string, error: unknown) => void;
}

/**
 * Sees what happens to files by their folders, so that a file may be put in place of another, go, and come back. A folder is not read,
 * however much is in it. Where it is not there, the deepest one above it is watched until it is.
 */
export function watchFolders({ onHint, onProblem }: FolderWatchOptions): FolderWatch {
  const open = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>();
  let files: ReadonlySet<string> = new Set();
  /** Folders of files, and those above them that not all of them share: one of these may be moved away with all that is in it. */
  let wanted: ReadonlySet<string> = new Set();
  /** Folders of files, and all above them: one of these may be yet to come. */
  let ways: ReadonlySet<string> = new Set();

  const arm = (): void => {
    const there = new Set([...wanted].map(deepestFolder));
    for (const [folder, { watcher, identity }] of open) {
      if (there.has(folder) && identityOf(folder) === identity) continue;
      watcher.close();
      open.delete(folder);
    }
    for (const folder of there) if (!open.has(folder)) start(folder);
  };

  const start = (folder: string): void => {
    try {
      const watcher = watch(folder, (event, name) => happened(folder, event, name));
      watcher.on('error', (error) => onProblem(folder, error));
      open.set(folder, { watcher, identity: identityOf(folder) ?? '' });
    } catch (error) {
      onProblem(folder, error);
    }
  };

  const happened = (folder: string, event: string, name: string | null): void => {
    if (name !== null && files.has(join(folder, name))) onHint(join(folder, name));
    const isWay = name === null || ways.has(join(folder, name));
    if (event !== 'rename' || !(isWay || identityOf(folder) !== open.get(folder)?.identity)) return;
    // A folder on the way has come or gone, and with it whatever lies below.
    arm();
    for (const file of files) onHint(file);
  };

  return {
    retarget(next) {
      files = new Set(next);
      const folders = [...new Set(next.map(dirname))];
      wanted = waysTo(folders, folders.reduce(sharedBy, folders[0] ?? ''));
      ways = waysTo(folders);
      arm();
    },
    close() {
      for (const { watcher } of open.values()) watcher.close();
      open.clear();
    },
  };
}

/** The folders and those above them, up to this one or to the very top. */
function waysTo(folders: readonly string[], top?: string): ReadonlySet<string> {
  const ways = new Set<string>();
  for (const folder of folders) {
    for (let at = folder; !ways.has(at); at = dirname(at)) {
      ways.add(at);
      if (at === top) break;
    }
  }
  return ways;
}

/** The deepest folder that both are, or lie in. */
function sharedBy(a: string, b: string): string {
  let shared = a;
  while (shared !== b && dirname(shared) !== shared && !b.startsWith(join(shared, sep))) shared = dirname(shared);
  return shared;
}

/** Another folder under the same name is not the one that is watched. */
function identityOf(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}
