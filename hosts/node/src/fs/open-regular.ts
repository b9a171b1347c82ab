import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { HostError } from '@relavium/engine';
import type { AdmittedPath } from './fs-path-policy.js';
import { type HeldFolder, holdFolder } from './hold-folder.js';
import { pathDenied } from './path-denied.js';
import type { Entry } from './path-operations.js';

export interface OpenFile {
  readonly handle: FileHandle;
  /** Of the descriptor, not of the name. */
  readonly stats: Stats;
}

/** Without a look at the name first, opening a device could already do something; without O_NONBLOCK, a pipe would wait for its other end. */
export async function openForReading({ canonical, display }: AdmittedPath): Promise<OpenFile> {
  const folder = holdFolder(dirname(canonical), display, { create: false });
  try {
    const path = folder.at(basename(canonical));
    refuseSpecial(await lstat(path), display);
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    return await checked(handle, display, isInPackageStore(canonical));
  } finally {
    folder.close();
  }
}

export async function openForAppending({ canonical, display, exists }: AdmittedPath, folder: HeldFolder): Promise<OpenFile> {
  const path = folder.at(basename(canonical));
  if (exists) refuseSpecial(await lstat(path), display);
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  return checked(await open(path, flags, 0o666), display, false);
}

/** What can be told about a file without opening it. */
export function refuseSpecial(entry: Pick<Entry, 'isDirectory' | 'isFile'>, display: string): void {
  if (entry.isDirectory()) throw new HostError('tool_failed', 'is_directory', `${display}: is a folder`, { path: display });
  if (!entry.isFile()) throw pathDenied(display, 'only regular files are used', 'regular files');
}

/** Packages of pnpm are links into a store that all projects share, by design: they are read, and never written to. */
export function isInPackageStore(canonical: string): boolean {
  return /[\\/]node_modules[\\/]\.pnpm[\\/]/u.test(canonical);
}

/** A second name of the same file may lie where no tool may look. */
export function refuseHardLink(entry: Pick<Entry, 'nlink'>, display: string): void {
  if (entry.nlink > 1) {
    throw pathDenied(display, 'the file has further names (hard links), which may lie outside', 'hard links');
  }
}

async function checked(handle: FileHandle, display: string, mayBeLinked: boolean): Promise<OpenFile> {
  try {
    const stats = await handle.stat();
    refuseSpecial(stats, display);
    if (!mayBeLinked) refuseHardLink(stats, display);
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
