import type { FileHandle } from 'node:fs/promises';
import { type CancelSignal, type FileContent, HostError, type ReadRequest } from '@relavium/engine';
import { cancelledCall, fileFailure, missing } from './file-failure.js';
import type { AdmittedPath } from './fs-path-policy.js';
import { mimeType } from './mime-type.js';
import { openForReading } from './open-regular.js';
import { type TextDecoding, textDecoding } from './text-decoding.js';

/** Reads a file or a range of it. Memory is bounded by `maxBytes` and one chunk, whatever the size of the file. */
export async function readText(admitted: AdmittedPath, request: ReadRequest, signal: CancelSignal): Promise<FileContent> {
  const { display } = admitted;
  if (!admitted.exists) throw missing(display);
  try {
    const { handle, stats } = await openForReading(admitted);
    try {
      const source: Source = { handle, size: stats.size, display, signal };
      const content = await contentOf(source, request);
      return { content, mimeType: mimeType(admitted.canonical), sizeBytes: stats.size, lastModified: stats.mtime.toISOString() };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fileFailure(error, display);
  }
}

interface Source {
  readonly handle: FileHandle;
  readonly size: number;
  readonly display: string;
  readonly signal: CancelSignal;
}

const CHUNK = 64 * 1024;

function contentOf(source: Source, request: ReadRequest): Promise<string> {
  if (request.startByte !== undefined || request.byteCount !== undefined) return byteRange(source, request);
  if (request.startLine !== undefined || request.lineCount !== undefined) return lineRange(source, request);
  return wholeFile(source, request);
}

async function wholeFile(source: Source, { encoding, maxBytes }: ReadRequest): Promise<string> {
  if (source.size > maxBytes) throw tooLarge(source, maxBytes);
  const bytes = await readBytes(source, 0, maxBytes + 1);
  // A file of /proc has no size, and any file may have grown since.
  if (bytes.length > maxBytes) throw tooLarge(source, maxBytes);
  const decoding = textDecoding(encoding, bytes, source.display);
  return decoding.decode(bytes) + decoding.end();
}

async function lineRange(
  source: Source,
  { encoding, startLine = 1, lineCount = Number.POSITIVE_INFINITY, maxBytes }: ReadRequest,
): Promise<string> {
  const kept: string[] = [];
  let keptBytes = 0;
  let line = 1;
  let decoding: TextDecoding | undefined;
  /** False: all lines that are wanted are there. */
  const take = (text: string): boolean => {
    let from = 0;
    while (from < text.length && line < startLine + lineCount) {
      const breakAt = text.indexOf('\n', from);
      const to = breakAt < 0 ? text.length : breakAt + 1;
      if (line >= startLine) {
        const piece = text.slice(from, to);
        keptBytes += Buffer.byteLength(piece);
        if (keptBytes > maxBytes) throw tooLarge(source, maxBytes);
        kept.push(piece);
      }
      if (breakAt >= 0) line++;
      from = to;
    }
    return line < startLine + lineCount;
  };
  for (let position = 0; ; ) {
    const bytes = await readBytes(source, position, CHUNK);
    decoding ??= textDecoding(encoding, bytes, source.display);
    if (bytes.length === 0) {
      take(decoding.end());
      return kept.join('');
    }
    position += bytes.length;
    if (!take(decoding.decode(bytes))) return kept.join('');
  }
}

async function byteRange(source: Source, { encoding = 'utf-8', startByte = 0, byteCount, maxBytes }: ReadRequest): Promise<string> {
  if (encoding !== 'utf-8' && encoding !== 'latin1') {
    throw new HostError('invalid_args', 'encoding', `byte ranges are read as utf-8 or latin1, not as ${encoding}`);
  }
  const count = byteCount ?? Math.max(source.size - startByte, 0);
  if (count > maxBytes) throw tooLarge(source, maxBytes);
  const bytes = await readBytes(source, startByte, count + LONGEST_CHARACTER - 1);
  const range = encoding === 'latin1' ? bytes.subarray(0, count) : wholeCharacters(bytes, count, startByte > 0);
  const decoding = textDecoding(encoding, range, source.display);
  return decoding.decode(range) + decoding.end();
}

const LONGEST_CHARACTER = 4;

/** From the first byte that begins a character to the last byte of the character that begins inside the range. */
function wholeCharacters(bytes: Uint8Array, count: number, mayBeginInside: boolean): Uint8Array {
  let to = Math.min(count, bytes.length);
  let from = 0;
  while (mayBeginInside && from < Math.min(to, LONGEST_CHARACTER - 1) && isContinuation(bytes[from])) from++;
  // No character begins inside.
  if (from === to) return bytes.subarray(0, 0);
  while (to < bytes.length && isContinuation(bytes[to])) to++;
  return bytes.subarray(from, to);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** At most `count` bytes; fewer only at the end of the file. */
async function readBytes({ handle, size, signal }: Source, position: number, count: number): Promise<Uint8Array> {
  // One byte more than the size shows in the same pass that the file has ended.
  let buffer = Buffer.allocUnsafe(Math.min(count, Math.max(size - position + 1, CHUNK)));
  let filled = 0;
  while (filled < count) {
    if (signal.aborted) throw cancelledCall();
    if (filled === buffer.length) buffer = Buffer.concat([buffer], Math.min(count, buffer.length * 2));
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function tooLarge({ display, size }: Source, maxBytes: number): HostError {
  const message = `${display}: is larger than ${maxBytes} bytes; read a part of it by start_line and line_count, or where its lines are as long by start_byte and byte_count`;
  return new HostError('tool_failed', 'too_large', message, { path: display, sizeBytes: size, maxBytes });
}
