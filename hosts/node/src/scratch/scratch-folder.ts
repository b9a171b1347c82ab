import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../fs/error-code.js';
import { processEntry } from '../process/process-table.js';

/**
 * Makes a folder that belongs to this process and to its owner alone, below the state folder of the home. Its name says whose it is, so
 * that what a process leaves when it is killed can be told from what another one still uses.
 */
export function makeScratchFolder(homeDir: string): string {
  const state = join(homeDir, '.relavium');
  const parent = scratchParent(homeDir);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  // The state folder may have been made by hand, with whatever permissions were usual then.
  for (const folder of [state, parent])
    if ((lstatSync(folder).mode & 0o077) !== 0 && process.platform !== 'win32') chmodSync(folder, 0o700);
  const folder = join(parent, `${process.pid}-${startOf(process.pid)}-${randomBytes(6).toString('hex')}`);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** What was found below the state folder of a home. */
export interface Leftovers {
  /** Folders of processes that are gone. */
  readonly abandoned: readonly string[];
  /** Folders of processes that run. */
  readonly inUse: number;
}

export function findLeftovers(homeDir: string): Leftovers {
  const abandoned: string[] = [];
  let inUse = 0;
  for (const name of namesIn(scratchParent(homeDir))) {
    const folder = join(scratchParent(homeDir), name);
    const owner = /^([0-9]+)-([0-9]+)-[0-9a-f]{12}$/u.exec(name);
    // What has another name, or is a link, is not ours to judge.
    if (owner === null || !lstatSync(folder).isDirectory()) continue;
    if (isRunning(Number(owner[1]), owner[2]!)) inUse++;
    else abandoned.push(folder);
  }
  return { abandoned, inUse };
}

/** Removes the folder and what is in it; links in it are removed, not followed. */
export function removeScratchFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function scratchParent(homeDir: string): string {
  return join(homeDir, '.relavium', 'scratch');
}

function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder).sort() : [];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Where the system does not tell when a process started, a number that was given out again keeps the folder for longer. */
function isRunning(pid: number, startedAt: string): boolean {
  const entry = processEntry(pid);
  if (entry !== undefined) return !entry.isDead && entry.startedAt === startedAt;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startOf(pid: number): string {
  return processEntry(pid)?.startedAt ?? '0';
}
