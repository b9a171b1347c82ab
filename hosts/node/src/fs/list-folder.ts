import type { Stats } from 'node:fs';
import { type CancelSignal, type DirectoryEntry, type Listing, type ListRequest, pathGlob } from '@relavium/engine';
import { fileFailure, missing } from './file-failure.js';
import type { AdmittedPath, FsPathPolicy } from './fs-path-policy.js';
import { walk } from './walk.js';

/** What is in an admitted folder, and with `recursive` below it. */
export async function listFolder(
  folder: AdmittedPath,
  policy: FsPathPolicy,
  { recursive, glob: pattern, maxEntries }: ListRequest,
  signal: CancelSignal,
): Promise<Listing> {
  if (!folder.exists) throw missing(folder.display);
  const glob = pathGlob(pattern ?? '**');
  const entries: DirectoryEntry[] = [];
  const options = { start: glob.start, next: glob.next, enters: (state: readonly number[]) => recursive && !glob.isDead(state) };
  try {
    for await (const { name, stats, state } of walk(folder, policy, options, signal)) {
      if (!glob.isMatch(state)) continue;
      if (entries.length === maxEntries) return { entries: sorted(entries), truncated: true };
      entries.push({ name, type: typeOf(stats), sizeBytes: stats.size, lastModified: stats.mtime.toISOString() });
    }
  } catch (error) {
    throw fileFailure(error, folder.display);
  }
  return { entries: sorted(entries) };
}

function sorted(entries: DirectoryEntry[]): readonly DirectoryEntry[] {
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function typeOf(stats: Stats): DirectoryEntry['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}
