import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { HostError, type WriteRequest, type WriteResult } from '@relavium/engine';
import { codeOf } from './error-code.js';
import { fileFailure } from './file-failure.js';
import type { AdmittedPath } from './fs-path-policy.js';
import { type HeldFolder, holdFolder } from './hold-folder.js';
import { openForAppending, refuseSpecial } from './open-regular.js';

/** Writes to the canonical path. An overwrite is whole or not there: the text goes to a new file that then takes the name. */
export async function writeText(admitted: AdmittedPath, { content, append, createParents }: WriteRequest): Promise<WriteResult> {
  const bytes = Buffer.from(content, 'utf8');
  const { display } = admitted;
  try {
    const folder = parentOf(admitted, createParents);
    try {
      if (append) await appendBytes(admitted, folder, bytes);
      else await replaceBytes(admitted, folder, bytes);
    } finally {
      folder.close();
    }
    return { path: display, bytesWritten: bytes.length };
  } catch (error) {
    throw fileFailure(error, display);
  }
}

function parentOf({ canonical, display, exists }: AdmittedPath, createParents: boolean): HeldFolder {
  try {
    return holdFolder(dirname(canonical), display, { create: createParents && !exists });
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new HostError('tool_failed', 'missing_parent', `${display}: its folder does not exist; create_parents: true makes it`, {
      path: display,
    });
  }
}

async function appendBytes(admitted: AdmittedPath, folder: HeldFolder, bytes: Buffer): Promise<void> {
  const { handle } = await openForAppending(admitted, folder);
  try {
    await handle.appendFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function replaceBytes({ canonical, display }: AdmittedPath, folder: HeldFolder, bytes: Buffer): Promise<void> {
  const target = folder.at(basename(canonical));
  const mode = await modeOf(target, display);
  const temporary = folder.at(`.relavium-${randomBytes(8).toString('hex')}.tmp`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(temporary, flags, mode === undefined ? 0o666 : 0o600);
  try {
    await fill(handle, bytes, mode);
    await rename(temporary, target);
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
async function modeOf(path: string, display: string): Promise<number | undefined> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  refuseSpecial(stats, display);
  return stats.mode & 0o777;
}
