import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isPattern, pathGlob } from '@relavium/engine';
import { deepestFolder } from './deepest-folder.js';

/** What is to be watched. */
export interface WatchTargets {
  /** Absolute paths of files, whether they are there yet or not. */
  readonly files: readonly string[];
  readonly globs: readonly WatchGlob[];
}

export interface WatchGlob {
  /** Absolute folder that the patterns are relative to. */
  readonly root: string;
  /** `*` and `?` inside a name, `**` over folders; with `/` between names. */
  readonly pattern: string;
  /** Patterns of what is left out; a folder that matches is left out with all that is in it. */
  readonly ignore?: readonly string[];
}

/** The targets, ready to be asked about paths with all links followed. */
export interface Watched {
  /** The files that are named, and those that links among them lead to. */
  readonly files: readonly string[];
  /** Folders that exist and that all patterns look below; none lies in another one. */
  readonly trees: readonly string[];
  /** The path as it was named, or `undefined` if a file there is no target. */
  nameOf(path: string): string | undefined;
  /** Whether something that a pattern covers may lie in this folder, at any depth. */
  mayHold(folder: string): boolean;
}

/** Folders that no pattern looks into: what is in there is made by tools, and often large. */
const NEVER_BY_GLOBS: ReadonlySet<string> = new Set(['node_modules', '.git', '.relavium']);

export function watchedBy({ files, globs }: WatchTargets): Watched {
  const names = new Map<string, string>();
  for (const file of files) {
    const entry = join(realPath(dirname(file)), basename(file));
    names.set(entry, file);
    // Where the entry is a link, what it leads to can change as well.
    names.set(realPath(file), file);
  }
  const trees = globs.map(treeOf);
  const bases = trees.map(({ base }) => base);
  const wayPoints = new Set<string>();
  for (const base of bases) for (let at = base; !wayPoints.has(at); at = dirname(at)) wayPoints.add(at);
  return {
    files: [...names.keys()],
    trees: outermost(bases.map(deepestFolder)),
    nameOf: (path) => names.get(path) ?? firstOf(trees, (tree) => tree.nameOf(path)),
    mayHold: (folder) => wayPoints.has(folder) || trees.some((tree) => tree.mayHold(folder)),
  };
}

/** Whether a pattern covers a path as it was named. */
export function isCoveredBy(glob: WatchGlob, path: string): boolean {
  return treeOf(glob).nameOf(realPath(path)) !== undefined;
}

interface Tree {
  /** The folder above the first wildcard, with all links followed. */
  readonly base: string;
  nameOf(path: string): string | undefined;
  mayHold(folder: string): boolean;
}

function treeOf({ root, pattern, ignore = [] }: WatchGlob): Tree {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  const first = names.findIndex(isPattern);
  const literal = first < 0 ? names.slice(0, -1) : names.slice(0, first);
  const named = resolve(root, ...literal);
  const base = realPath(named);
  const glob = pathGlob(names.slice(literal.length).join('/'));
  const ignored = ignore.map(pathGlob);
  const isLeftOut = (below: readonly string[]): boolean => {
    const whole = [...literal, ...below];
    return whole.some((name, at) => NEVER_BY_GLOBS.has(name) || ignored.some((each) => each.matches(whole.slice(0, at + 1).join('/'))));
  };
  return {
    base,
    nameOf(path) {
      const below = namesBelow(base, path);
      return below === undefined || !matches(glob, below) || isLeftOut(below) ? undefined : join(named, ...below);
    },
    mayHold(folder) {
      if (folder === base) return true;
      const below = namesBelow(base, folder);
      return below !== undefined && !glob.isDead(below.reduce(glob.next, glob.start)) && !isLeftOut(below);
    },
  };
}

function matches(glob: ReturnType<typeof pathGlob>, names: readonly string[]): boolean {
  return glob.isMatch(names.reduce(glob.next, glob.start));
}

function namesBelow(base: string, path: string): readonly string[] | undefined {
  const prefix = base.endsWith(sep) ? base : base + sep;
  return path.startsWith(prefix) ? path.slice(prefix.length).split(sep) : undefined;
}

/** With links followed as far as there is something. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

function outermost(folders: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const folder of [...new Set(folders)].sort()) {
    if (!kept.some((other) => !relative(other, folder).startsWith('..'))) kept.push(folder);
  }
  return kept;
}

function firstOf<T, U>(items: readonly T[], of: (item: T) => U | undefined): U | undefined {
  for (const item of items) {
    const found = of(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
