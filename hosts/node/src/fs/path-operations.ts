import { realpathSync, statSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { nativePlatform, type Platform } from './path-rules.js';

/** What a policy asks of the disk. Another platform's answers can be put in its place. */
export interface PathOperations {
  readonly platform: Platform;
  realpathSync(path: string): string;
  /** Follows links. */
  statSync(path: string): Entry;
  realpath(path: string): Promise<string>;
  /** Of the entry itself. */
  lstat(path: string): Promise<Entry>;
}

export interface Entry {
  readonly dev: number | bigint;
  readonly ino: number | bigint;
  readonly mode: number;
  readonly uid: number;
  readonly nlink: number;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The native resolver, for the same spelling of a path in the synchronous and the asynchronous form. */
export const nodePathOperations: PathOperations = {
  platform: nativePlatform(),
  realpathSync: realpathSync.native,
  statSync: (path) => statSync(path),
  realpath: (path) => realpath(path),
  lstat: (path) => lstat(path),
};
