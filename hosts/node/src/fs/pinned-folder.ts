import type { PathOperations } from './path-operations.js';
import type { PathRules } from './path-rules.js';

/** A folder whose spelling, real path and identity were taken when authority over it was given. */
export interface PinnedFolder {
  readonly lexical: string;
  readonly canonical: string;
  readonly dev: number | bigint;
  readonly ino: number | bigint;
}

/** `undefined`: there is no such folder. */
export function pinFolder(path: string, operations: PathOperations, rules: PathRules): PinnedFolder | undefined {
  const lexical = rules.resolve(path, '.');
  try {
    const canonical = operations.realpathSync(lexical);
    const entry = operations.statSync(canonical);
    return entry.isDirectory() ? { lexical, canonical, dev: entry.dev, ino: entry.ino } : undefined;
  } catch {
    return undefined;
  }
}

/** Is it still the folder that it was? One that was replaced, moved or linked elsewhere gives no authority. */
export async function isStillPinned({ lexical, canonical, dev, ino }: PinnedFolder, operations: PathOperations): Promise<boolean> {
  try {
    if ((await operations.realpath(lexical)) !== canonical) return false;
    const entry = await operations.lstat(canonical);
    return entry.isDirectory() && entry.dev === dev && entry.ino === ino;
  } catch {
    return false;
  }
}
