import { type CancelSignal, type FileContent, type GlobContent, HostError, pathGlob, type ReadRequest } from '@relavium/engine';
import { fileFailure, missing } from './file-failure.js';
import { type AdmittedPath, admitPath, displayedPath, type FsPathPolicy } from './fs-path-policy.js';
import type { GlobPath } from './glob-path.js';
import { readText } from './read-text.js';
import { walk } from './walk.js';

/** Files of one answer, and bytes of all of them together; what goes beyond is skipped and said so. */
const MAX_FILES = 10_000;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

/** Reads what matches below an admitted folder. A file that cannot be read is named in `skipped` and stops nothing. */
export async function readGlobFiles(
  folder: AdmittedPath,
  { pattern }: GlobPath,
  policy: FsPathPolicy,
  request: ReadRequest,
  signal: CancelSignal,
): Promise<GlobContent> {
  if (!folder.exists) throw missing(folder.display);
  const { found, skipped } = await matching(folder, pattern, policy, signal);
  const files: (FileContent & { readonly path: string })[] = [];
  let left = MAX_TOTAL_BYTES;
  for (const admitted of found) {
    try {
      if (left <= 0) throw new HostError('tool_failed', 'total_too_large', 'the files before it are as large as one answer may be');
      const content = await readText(admitted, request, signal);
      left -= Buffer.byteLength(content.content);
      files.push({ path: admitted.display, ...content });
    } catch (error) {
      if (!(error instanceof HostError) || error.code === 'cancelled') throw error;
      skipped.push({ path: admitted.display, reason: error.reason });
    }
  }
  return { files, skipped: skipped.sort(byPath) };
}

interface Matching {
  readonly found: readonly AdmittedPath[];
  readonly skipped: { readonly path: string; readonly reason: string }[];
}

async function matching(folder: AdmittedPath, pattern: string, policy: FsPathPolicy, signal: CancelSignal): Promise<Matching> {
  const glob = pathGlob(pattern);
  const found: AdmittedPath[] = [];
  const skipped: Matching['skipped'] = [];
  try {
    const options = { start: glob.start, next: glob.next, enters: (state: readonly number[]) => !glob.isDead(state) };
    for await (const { lexical, canonical, stats, state } of walk(folder, policy, options, signal)) {
      if (!glob.isMatch(state) || stats.isDirectory()) continue;
      const display = displayedPath(policy, lexical, canonical);
      if (found.length >= MAX_FILES) {
        skipped.push({ path: display, reason: 'too_many_files' });
        break;
      }
      // The walk enters no link, so only a link itself can lead elsewhere.
      if (!stats.isSymbolicLink()) found.push({ lexical, canonical, exists: true, display });
      else await admitLink(lexical, display, policy, found, skipped);
    }
  } catch (error) {
    throw fileFailure(error, folder.display);
  }
  return { found: found.sort((one, other) => (one.display < other.display ? -1 : 1)), skipped };
}

async function admitLink(
  lexical: string,
  display: string,
  policy: FsPathPolicy,
  found: AdmittedPath[],
  skipped: Matching['skipped'],
): Promise<void> {
  try {
    found.push(await admitPath(policy, 'read', lexical));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    skipped.push({ path: display, reason: error.reason });
  }
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1;
}
