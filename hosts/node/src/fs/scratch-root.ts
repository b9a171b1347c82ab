import { nodePathOperations, type PathOperations } from './path-operations.js';
import { type PathRules, pathRules } from './path-rules.js';
import { isStillPinned, type PinnedFolder, pinFolder } from './pinned-folder.js';

/** Authority over one private folder below the state directory of the home. Only the factory makes one; a look-alike gives none. */
export interface ScratchRoot {
  readonly kind: 'scratch-root';
}

export interface ScratchState {
  readonly anchor: PinnedFolder;
  readonly root: PinnedFolder;
  /** How many components stand before `.relavium` in both spellings of the root: that one component is not held against the path. */
  readonly exemptLexical: number;
  readonly exemptCanonical: number;
}

export interface ScratchOptions {
  readonly homeDir: string;
  /** Exists, is below `.relavium` of the home, and is the owner's alone, like every folder between the two. */
  readonly rootDir: string;
  readonly operations?: PathOperations;
}

const issued = new WeakMap<ScratchRoot, ScratchState>();

/** Throws a `TypeError` where the folder is not such a one: giving out authority over it would be a mistake of the host. */
export async function issueHostScratchRoot({ homeDir, rootDir, operations = nodePathOperations }: ScratchOptions): Promise<ScratchRoot> {
  const rules = pathRules(operations.platform);
  const anchor = pinFolder(rules.join(homeDir, '.relavium'), operations, rules);
  const root = pinFolder(rootDir, operations, rules);
  if (anchor === undefined || root === undefined) throw new TypeError('a scratch root is an existing folder below .relavium of the home');
  const isBelow = root.lexical !== anchor.lexical && rules.isInside(anchor.lexical, root.lexical);
  if (!isBelow || !isSameTail(anchor, root.lexical, root.canonical, rules))
    throw new TypeError('a scratch root is below .relavium of the home, without links');
  const state: ScratchState = {
    anchor,
    root,
    exemptLexical: rules.components(anchor.lexical).length - 1,
    exemptCanonical: rules.components(anchor.canonical).length - 1,
  };
  if (!(await isPrivate(anchor.canonical, root.canonical, operations, rules)))
    throw new TypeError('a scratch root belongs to its owner alone');
  const descriptor: ScratchRoot = Object.freeze({ kind: 'scratch-root' });
  issued.set(descriptor, state);
  return descriptor;
}

export function scratchState(descriptor: ScratchRoot): ScratchState {
  const state = issued.get(descriptor);
  if (state === undefined) throw new TypeError('this scratch root was not issued by the host');
  return state;
}

/**
 * May a path inside the root be reached? `lexical` and `canonical` are its two spellings, `existing` the deepest canonical folder of it that
 * exists. No link and no folder that others may enter lies between the root and the path.
 */
export async function isScratchOpen(
  { anchor, root }: ScratchState,
  { lexical, canonical, existing }: { readonly lexical: string; readonly canonical: string; readonly existing: string },
  operations: PathOperations,
  rules: PathRules,
): Promise<boolean> {
  if (!isSameTail(root, lexical, canonical, rules)) return false;
  if (!(await isStillPinned(anchor, operations)) || !(await isStillPinned(root, operations))) return false;
  return isPrivate(anchor.canonical, existing, operations, rules);
}

function isSameTail(folder: PinnedFolder, lexical: string, canonical: string, rules: PathRules): boolean {
  return rules.relative(folder.lexical, lexical) === rules.relative(folder.canonical, canonical);
}

/** On Windows the profile's access list is what keeps others out; there are no mode bits to look at. */
async function isPrivate(from: string, to: string, operations: PathOperations, rules: PathRules): Promise<boolean> {
  for (let folder = to; rules.isInside(from, folder); folder = rules.dirname(folder)) {
    const entry = await operations.lstat(folder);
    if (!entry.isDirectory()) return false;
    if (rules.platform === 'posix' && ((entry.mode & 0o077) !== 0 || entry.uid !== process.getuid?.())) return false;
  }
  return true;
}
