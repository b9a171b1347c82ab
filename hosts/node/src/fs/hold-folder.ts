import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './error-code.js';
import { pathDenied } from './path-denied.js';

/** A folder that stays the same folder while it is held, whatever its name leads to meanwhile. */
export interface HeldFolder {
  /** By which the folder itself is reached. */
  readonly path: string;
  /** By which an entry of it is reached. */
  at(name: string): string;
  close(): void;
}

/** Linux, <fcntl.h>: a descriptor that only stands for a place in the tree. Node has no name for it. */
const O_PATH = 0o10000000;
const THROUGH_NO_LINK = O_PATH | constants.O_DIRECTORY | (constants.O_NOFOLLOW ?? 0);
const DESCRIPTORS = '/proc/self/fd';

/**
 * Opens a folder by its canonical path, one component after the other and through no link: what was admitted may have been swapped for a
 * link since, at any depth. Each step starts from the descriptor of the one before (`openat`, which Linux offers through /proc). With
 * `create` missing folders are made. Elsewhere than on Linux the path itself is used, and the window between a check and its use stays.
 */
export function holdFolder(canonical: string, display: string, { create }: { readonly create: boolean }): HeldFolder {
  if (process.platform !== 'linux' || !existsSync(DESCRIPTORS)) return byName(canonical, create);
  let descriptor = openSync('/', THROUGH_NO_LINK);
  try {
    for (const component of canonical.split('/')) {
      if (component === '') continue;
      const next = openComponent(`${DESCRIPTORS}/${descriptor}/${component}`, display, create);
      closeSync(descriptor);
      descriptor = next;
    }
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  const held = descriptor;
  const path = `${DESCRIPTORS}/${held}`;
  return { path, at: (name) => `${path}/${name}`, close: () => closeSync(held) };
}

function openComponent(path: string, display: string, create: boolean): number {
  try {
    return openSync(path, THROUGH_NO_LINK);
  } catch (error) {
    const code = codeOf(error);
    const isLink = (code === 'ENOTDIR' || code === 'ELOOP') && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (isLink) throw pathDenied(display, 'a folder on the way is no longer the one that was admitted', 'resolution');
    if (code !== 'ENOENT' || !create) throw error;
  }
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else has made it meanwhile.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return openComponent(path, display, false);
}

function byName(canonical: string, create: boolean): HeldFolder {
  if (create) mkdirSync(canonical, { recursive: true });
  return { path: canonical, at: (name) => join(canonical, name), close: () => undefined };
}
