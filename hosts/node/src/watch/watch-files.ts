import { realpathSync, statSync } from 'node:fs';
import type { FSWatcher } from 'chokidar';
import { createSettling, type Snapshot } from './settling.js';
import { watchFolders } from './watch-folders.js';
import { type Watched, type WatchTargets, watchedBy } from './watch-targets.js';

/** A file that is not what it was. */
export interface ChangedFile {
  /** As the targets name it; absolute. */
  readonly path: string;
  readonly exists: boolean;
  /** When it was last written to, or found to be gone: milliseconds since the epoch. */
  readonly at: number;
}

export interface WatchOptions {
  readonly targets: WatchTargets;
  /** How long size and time must not have moved. */
  readonly debounceMs: number;
  /** Everything that came to rest together. */
  readonly onChange: (files: readonly ChangedFile[]) => void;
  /** Something cannot be watched; the rest still is. */
  readonly onProblem: (message: string) => void;
}

export interface FileWatch {
  /** Resolves when changes are seen: what happened before is how things were. */
  readonly begun: Promise<void>;
  /** Resolves when the watch has begun and nothing is in the middle of being written. */
  quiet(): Promise<void>;
  /** Watches these from now on. What is still watched is not begun anew: a change in between is not lost. */
  retarget(targets: WatchTargets): void;
  /** Called before this process writes to a file. What is given back is called afterwards, with the path if something was written. */
  writing(): (path: string | undefined) => void;
  close(): Promise<void>;
}

/** Watches the folders of files that are named, and the trees that patterns look into: nothing else. */
export function watchFiles({ targets, debounceMs, onChange, onProblem }: WatchOptions): FileWatch {
  const settling = createSettling(debounceMs);
  let watched: Watched = watchedBy(targets);
  let isReady = false;
  let isClosed = false;
  let writes = 0;
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  let waiting: (() => void)[] = [];
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const folders = watchFolders({ onHint: hint, onProblem: (folder, error) => onProblem(problemOf(error, folder)) });
  let trees: FSWatcher | undefined;
  start();

  function start(): void {
    isReady = false;
    folders.retarget(watched.files);
    for (const file of watched.files) hint(file);
    trees = undefined;
    if (watched.trees.length === 0) return ready();
    openTrees(watched).catch((error) => onProblem(problemOf(error)));
  }

  async function openTrees(current: Watched): Promise<void> {
    // Most workflows name their files; few pay for what follows patterns.
    const { watch } = await import('chokidar');
    if (isClosed || watched !== current) return;
    const opened = watch([...watched.trees], {
      ignored: (path, stats) => !matters(path, stats?.isDirectory()),
      followSymlinks: false,
      // Files are put in place of others all the time; what that means is for the settling to judge.
      atomic: false,
      ignorePermissionErrors: true,
    });
    opened.on('all', (event, path) => {
      if (event === 'add' || event === 'change' || event === 'unlink') hint(path);
    });
    opened.on('error', (error) => onProblem(problemOf(error, (error as NodeJS.ErrnoException).path)));
    opened.on('ready', ready);
    trees = opened;
  }

  function ready(): void {
    isReady = true;
    begin();
    for (const path of settling.known) hint(path);
    proceed();
  }

  function matters(path: string, isFolder: boolean | undefined): boolean {
    if (isFolder !== true && watched.nameOf(path) !== undefined) return true;
    return isFolder !== false && watched.mayHold(path);
  }

  function hint(path: string): void {
    if (watched.nameOf(path) === undefined) return;
    const found = snapshotOf(path);
    const now = Date.now();
    if (!isReady && !settling.isKnown(path)) return settling.start(path, found, now);
    const restsAt = settling.look(path, found, now);
    // What moves is not gone through at every hint: a burst is as many hints as files.
    if (restsAt !== undefined && restsAt < wakesAt) wakeAt(restsAt);
  }

  /** Tells what has come to rest, and sees to being called again when something else will have. */
  function proceed(): void {
    wakeAt(Number.POSITIVE_INFINITY);
    if (isClosed || !isReady || writes > 0) return;
    const now = Date.now();
    const due = settling.due();
    if (due !== undefined && due <= now) {
      for (const path of settling.moving) settling.look(path, snapshotOf(path), now);
      const changed = settling.take(now).flatMap(({ path, found }): ChangedFile[] => {
        const name = watched.nameOf(path);
        return name === undefined ? [] : [{ path: name, exists: found !== undefined, at: found?.mtimeMs ?? now }];
      });
      if (changed.length > 0) onChange(byName(changed));
    }
    const next = settling.due();
    if (next !== undefined) return wakeAt(next);
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  function wakeAt(instant: number): void {
    clearTimeout(timer);
    wakesAt = instant;
    if (instant !== Number.POSITIVE_INFINITY) timer = setTimeout(proceed, Math.max(1, instant - Date.now()));
  }

  return {
    begun,
    quiet: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        proceed();
      }),
    retarget(next) {
      if (sameTargets(targets, next)) return;
      targets = next;
      watched = watchedBy(next);
      for (const path of settling.known) if (watched.nameOf(path) === undefined) settling.forget(path);
      void trees?.close();
      start();
    },
    writing() {
      writes++;
      return (path) => {
        writes--;
        if (path !== undefined) {
          const real = realOf(path);
          if (watched.nameOf(real) !== undefined) settling.own(real, snapshotOf(real));
        }
        proceed();
      };
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      folders.close();
      await trees?.close();
    },
  };
}

function snapshotOf(path: string): Snapshot | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? { ino: stats.ino, size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs } : undefined;
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** One file may be reached by two paths; both bear one name. */
function byName(files: readonly ChangedFile[]): readonly ChangedFile[] {
  const named = new Map(files.map((file) => [file.path, file]));
  return [...named.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function sameTargets(a: WatchTargets, b: WatchTargets): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function problemOf(error: unknown, path = 'something'): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EMFILE')
    return `${path} cannot be watched: this machine watches as many files as it may (${code}); watch fewer, or raise its limit`;
  return `${path} cannot be watched: ${code ?? message}`;
}
