import { encoding, tooLarge } from '../diagnostics/catalogue/reading.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import { MAX_SOURCE_BYTES } from '../plan/ceilings.js';
import type { SourceText } from './source-text.js';

/** Strict: `undefined` for bytes that are no UTF-8. On hosts with TextDecoder its fatal mode is this function. */
export type DecodeUtf8 = (bytes: Uint8Array) => string | undefined;

export type SourceFromBytes = { readonly source: SourceText } | { readonly diagnostic: Diagnostic };

/** The one way from a file's bytes to its text: size, encoding, byte order mark. The size is judged before anything is decoded. */
export function sourceFromBytes(path: string, bytes: Uint8Array, decode: DecodeUtf8): SourceFromBytes {
  if (bytes.length > MAX_SOURCE_BYTES) return refused(tooLarge, path, { bytes: bytes.length, limit: MAX_SOURCE_BYTES });
  const text = decode(bytes);
  if (text === undefined) return refused(encoding, path, {});
  return { source: { path, text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text } };
}

function refused<Data>(entry: Parameters<typeof diagnose<Data>>[0], path: string, data: Data): SourceFromBytes {
  return { diagnostic: diagnose(entry, { path, text: '' }, { start: 0, end: 0 }, data) };
}
