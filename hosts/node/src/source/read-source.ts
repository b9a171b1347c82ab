import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { MAX_SOURCE_BYTES, type SourceRead, sourceFromBytes } from '@relavium/engine';
import { codeOf } from '../fs/error-code.js';

/** Reads one file as a source. `shown` is its name in the result; where it may lie is for the caller to judge. Never throws. */
export function readSource(path: string, shown: string): SourceRead {
  try {
    const bytes = readBounded(path);
    if (bytes === undefined) return { ok: false, problem: 'unreadable', message: `${shown} is no regular file` };
    const read = sourceFromBytes(shown, bytes, decodeUtf8);
    return 'source' in read ? { ok: true, source: read.source } : { ok: false, problem: 'unreadable', message: read.diagnostic.message };
  } catch (error) {
    const code = codeOf(error) ?? 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, problem: 'missing', message: `${shown} does not exist` };
    return { ok: false, problem: 'unreadable', message: `${shown} cannot be read: the system reports ${code}` };
  }
}

/** One byte more than is allowed is enough to refuse. */
const LIMIT = MAX_SOURCE_BYTES + 1;

function readBounded(path: string): Uint8Array | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    const buffer = Buffer.allocUnsafe(Math.min(stats.size + 1, LIMIT));
    let filled = 0;
    for (;;) {
      const read = readSync(descriptor, buffer, filled, buffer.length - filled, filled);
      filled += read;
      if (read === 0 || filled === buffer.length) return buffer.subarray(0, filled);
    }
  } finally {
    closeSync(descriptor);
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
