/** What resolving needs of a file system. All paths are absolute. */
export interface ResolveOperations {
  realpath(path: string): Promise<string>;
  /** Of the entry itself, not of what a link leads to. */
  lstat(path: string): Promise<{ isDirectory(): boolean }>;
  dirname(path: string): string;
  /** Does the error say that there is no such entry, and nothing else? */
  isMissing(error: unknown): boolean;
}

export type DeepestExisting =
  /** `at` is the ancestor as it was spelled, `real` the directory that it is. */
  { readonly ok: true; readonly at: string; readonly real: string } | { readonly ok: false };

/**
 * The canonical path of the deepest ancestor of `start`, itself included, that exists as a directory. It climbs only over what is proven
 * missing both as a target and as an entry; whatever cannot be resolved, is no directory, or is a link to nothing is refused without a
 * reason. Containment is for the caller to judge.
 */
export async function deepestExistingReal(start: string, operations: ResolveOperations): Promise<DeepestExisting> {
  for (let at = start; ; ) {
    const real = await unlessMissing(operations.realpath(at), operations);
    if (real === REFUSED) return { ok: false };
    if (real !== MISSING) return isDirectory(at, real, operations);
    // An entry that is there but leads nowhere is a dangling link.
    if ((await unlessMissing(operations.lstat(at), operations)) !== MISSING) return { ok: false };
    const parent = operations.dirname(at);
    if (parent === at) return { ok: false };
    at = parent;
  }
}

const MISSING = Symbol('missing');
const REFUSED = Symbol('refused');

async function isDirectory(at: string, real: string, operations: ResolveOperations): Promise<DeepestExisting> {
  const entry = await unlessMissing(operations.lstat(real), operations);
  return typeof entry === 'object' && entry.isDirectory() ? { ok: true, at, real } : { ok: false };
}

async function unlessMissing<T>(answer: Promise<T>, { isMissing }: ResolveOperations): Promise<T | typeof MISSING | typeof REFUSED> {
  try {
    return await answer;
  } catch (error) {
    return isMissing(error) ? MISSING : REFUSED;
  }
}
