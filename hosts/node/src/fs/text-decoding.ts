import { HostError, type ReadRequest } from '@relavium/engine';

export type Encoding = NonNullable<ReadRequest['encoding']>;

/** Text out of bytes that come in pieces. Throws `tool_failed not_text` at the first bytes that are none. */
export interface TextDecoding {
  decode(bytes: Uint8Array): string;
  end(): string;
}

/** `first` are the first bytes of the file: a byte order mark decides where the caller named no encoding. */
export function textDecoding(asked: Encoding | undefined, first: Uint8Array, display: string): TextDecoding {
  const encoding = asked ?? encodingOf(first);
  if (encoding === 'latin1')
    return { decode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), end: () => '' };
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes: Uint8Array, stream: boolean) => {
    if (encoding === 'utf-8' && bytes.includes(0)) throw notText(first, encoding, display);
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      throw notText(first, encoding, display);
    }
  };
  return { decode: (bytes) => decode(bytes, true), end: () => decode(new Uint8Array(0), false) };
}

function encodingOf(first: Uint8Array): Encoding {
  if (first[0] === 0xff && first[1] === 0xfe) return 'utf-16le';
  if (first[0] === 0xfe && first[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

function notText(first: Uint8Array, encoding: Encoding, display: string): HostError {
  const known = SIGNATURES.find(([, signature]) => signature.every((byte, index) => byte === first[index]))?.[0];
  const message =
    known === undefined ? `is no text in ${encoding}; "encoding" names another one, such as latin1` : `is no text but ${known}`;
  return new HostError('tool_failed', 'not_text', `${display}: ${message}`, { path: display, found: known ?? `no ${encoding}` });
}

const SIGNATURES: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['a RIFF container (WebP, WAV or AVI)', [0x52, 0x49, 0x46, 0x46]],
  ['a PDF document', [0x25, 0x50, 0x44, 0x46]],
  ['a ZIP archive or an office document', [0x50, 0x4b, 0x03, 0x04]],
  ['gzip data', [0x1f, 0x8b]],
  ['a Zstandard archive', [0x28, 0xb5, 0x2f, 0xfd]],
  ['an XZ archive', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['an ELF program', [0x7f, 0x45, 0x4c, 0x46]],
  ['a Windows program', [0x4d, 0x5a]],
  ['a Mach-O program', [0xcf, 0xfa, 0xed, 0xfe]],
  ['a WebAssembly module', [0x00, 0x61, 0x73, 0x6d]],
  ['an SQLite database', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65]],
  ['an MP3 recording', [0x49, 0x44, 0x33]],
  ['an Ogg recording', [0x4f, 0x67, 0x67, 0x53]],
];
