import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { HostError } from '@relavium/engine';
import type { AdmittedPath } from './fs-path-policy.js';
import { pathDenied } from './path-denied.js';
import type { Entry } from './path-operations.js';

export interface OpenFile {
  readonly handle: FileHandle;
  /** Of the descriptor, not of the name. */
  readonly stats: Stats;
}

/** Without a look at the name first, opening a device could already do something; without O_NONBLOCK, a pipe would wait for its other end. */
export async function openForReading({ canonical, display }: AdmittedPath): Promise<OpenFile> {
  refuseSpecial(await lstat(canonical), display);
  const handle = await open(canonical, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  return checked(handle, canonical, display);
}

export async function openForAppending({ canonical, display, exists }: AdmittedPath): Promise<OpenFile> {
  if (exists) refuseSpecial(await lstat(canonical), display);
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  return checked(await open(canonical, flags, 0o666), canonical, display);
}

/** What can be told about a file without opening it. */
export function refuseSpecial(entry: Pick<Entry, 'isDirectory' | 'isFile'>, display: string): void {
  if (entry.isDirectory()) throw new HostError('tool_failed', 'is_directory', `${display}: is a folder`, { path: display });
  if (!entry.isFile()) throw pathDenied(display, 'only regular files are used', 'regular files');
}

/** A second name of the same file may lie where no tool may look. Packages of pnpm are such links by design, into its own store. */
export function refuseHardLink(entry: Pick<Entry, 'nlink'>, canonical: string, display: string): void {
  if (entry.nlink > 1 && !/[\\/]node_modules[\\/]\.pnpm[\\/]/u.test(canonical)) {
    throw pathDenied(display, 'the file has further names (hard links), which may lie outside', 'hard links');
  }
}

async function checked(handle: FileHandle, canonical: string, display: string): Promise<OpenFile> {
  try {
    const stats = await handle.stat();
    refuseSpecial(stats, display);
    refuseHardLink(stats, canonical, display);
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
