import { HostError } from '@relavium/engine';
import { codeOf } from './error-code.js';
import { pathDenied } from './path-denied.js';

/** Turns an error of the system into what a tool reports; a `HostError` stays as it is. The path is as the caller named it. */
export function fileFailure(error: unknown, path: string): HostError {
  if (error instanceof HostError) return error;
  const code = codeOf(error) ?? 'unknown';
  const known = KNOWN[code];
  if (code === 'ELOOP') return pathDenied(path, 'the path became a link', 'links');
  return new HostError('tool_failed', known?.[0] ?? 'io', `${path}: ${known?.[1] ?? `the system reports ${code}`}`, { path }, error);
}

const KNOWN: Readonly<Record<string, readonly [reason: string, message: string]>> = {
  ENOENT: ['missing', 'there is no such file'],
  EACCES: ['no_permission', 'the system does not permit it'],
  EPERM: ['no_permission', 'the system does not permit it'],
  EROFS: ['read_only', 'the file system is read-only'],
  EISDIR: ['is_directory', 'is a folder'],
  ENOTDIR: ['not_a_directory', 'is no folder'],
  ENOSPC: ['no_space', 'the disk is full'],
  EDQUOT: ['no_space', 'the quota is used up'],
  ENAMETOOLONG: ['name_too_long', 'the name is too long'],
  EMFILE: ['too_many_open_files', 'too many files are open'],
  ENFILE: ['too_many_open_files', 'too many files are open'],
};

export function missing(path: string): HostError {
  return new HostError('tool_failed', 'missing', `${path}: there is no such file`, { path });
}

export function cancelledCall(): HostError {
  return new HostError('cancelled', 'cancelled', 'the call was cancelled');
}
