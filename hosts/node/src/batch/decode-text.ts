/** The text of a source, piece by piece. A byte order mark is no part of it. */
export interface DecodedText {
  readonly pieces: AsyncIterable<string>;
  /** Bytes of the source up to a place in the text, counted in UTF-16 units: exact for ASCII, about right for anything else. */
  bytesAt(units: number): number;
}

/** Ends with a `TypeError` where the bytes are no UTF-8: filling in for what cannot be read would change the items without a word. */
export function decodeText(source: AsyncIterable<Uint8Array>): DecodedText {
  let bytes = 0;
  let units = 0;
  return {
    pieces: decode(source, (read, given) => {
      bytes += read;
      units += given;
    }),
    bytesAt: (place) => (units === 0 ? 0 : Math.round((bytes * place) / units)),
  };
}

async function* decode(source: AsyncIterable<Uint8Array>, count: (bytes: number, units: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of source) {
    const text = decoder.decode(chunk, { stream: true });
    count(chunk.length, text.length);
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}
