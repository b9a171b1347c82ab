import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HostError, type WriteRequest, type WriteResult } from '@relavium/engine';
import { fileFailure } from './file-failure.js';
import type { AdmittedPath } from './fs-path-policy.js';
import { openForAppending, refuseSpecial } from './open-regular.js';
import { pathDenied } from './path-denied.js';
import { codeOf } from './path-operations.js';

/** Writes to the canonical path. An overwrite is whole or not there: the text goes to a new file that then takes the name. */
export async function writeText(admitted: AdmittedPath, { content, append, createParents }: WriteRequest): Promise<WriteResult> {
  const bytes = Buffer.from(content, 'utf8');
  const { display } = admitted;
  try {
    await prepareParent(admitted, createParents);
    if (append) await appendBytes(admitted, bytes);
    else await replaceBytes(admitted, bytes);
    return { path: display, bytesWritten: bytes.length };
  } catch (error) {
    throw fileFailure(error, display);
  }
}

async function prepareParent({ canonical, display, exists }: AdmittedPath, createParents: boolean): Promise<void> {
  if (exists) return;
  const parent = dirname(canonical);
  if (createParents) {
    await mkdir(parent, { recursive: true });
    return;
  }
  try {
    await lstat(parent);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new HostError('tool_failed', 'missing_parent', `${display}: its folder does not exist; create_parents: true makes it`, {
      path: display,
    });
  }
}

async function appendBytes(admitted: AdmittedPath, bytes: Buffer): Promise<void> {
  const { handle } = await openForAppending(admitted);
  try {
    await handle.appendFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function replaceBytes({ canonical, display }: AdmittedPath, bytes: Buffer): Promise<void> {
  const mode = await modeOf(canonical, display);
  const folder = dirname(canonical);
  const temporary = join(folder, `.relavium-${randomBytes(8).toString('hex')}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(temporary, flags, mode === undefined ? 0o666 : 0o600);
  try {
    await fill(handle, bytes, mode);
    // The folder may have been swapped for a link since it was admitted.
    if ((await realpath(folder)) !== folder) throw pathDenied(display, 'the folder changed while it was written to', 'resolution');
    await rename(temporary, canonical);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function fill(handle: FileHandle, bytes: Buffer, mode: number | undefined): Promise<void> {
  try {
    await handle.writeFile(bytes);
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Permissions of the file that is there; `undefined` where there is none. */
async function modeOf(canonical: string, display: string): Promise<number | undefined> {
  const stats = await lstat(canonical).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  refuseSpecial(stats, display);
  return stats.mode & 0o777;
}
