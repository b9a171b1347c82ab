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
    return await checked(handle, canonical, display);
  } finally {
    folder.close();
  }
}

export async function openForAppending({ canonical, display, exists }: AdmittedPath, folder: HeldFolder): Promise<OpenFile> {
  const path = folder.at(basename(canonical));
  if (exists) refuseSpecial(await lstat(path), display);
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  return checked(await open(path, flags, 0o666), canonical, display);
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
