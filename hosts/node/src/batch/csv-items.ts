import type { CsvError } from 'csv-parse';
import { type ItemText, LONGEST_ITEM } from './item-text.js';

/**
 * The records of a CSV text (RFC 4180), the header included: commas, quotes that are doubled inside quotes, line breaks of either kind.
 * A line without any character is no record. Spaces are part of a cell.
 */
export async function* csvItems(pieces: AsyncIterable<string>): AsyncGenerator<ItemText> {
  const { parse, CsvError } = await import('csv-parse');
  let found: ItemText[] = [];
  /** The line in which the next record begins, or a blank one before it. */
  let line = 1;
  let doubled = 0;
  const parser = parse({
    recordDelimiter: ['\r\n', '\n'],
    relaxColumnCount: true,
    skipEmptyLines: true,
    maxRecordSize: LONGEST_ITEM,
    // Taken here and not from the stream, which would throw away what it holds when a later record is broken.
    onRecord: (cells: string[], { lines, bytes }) => {
      found.push({ kind: 'cells', cells, line, bytes });
      // The parser takes a line break of two characters inside quotes for two.
      for (const cell of cells) if (cell.includes('\r\n')) doubled += cell.split('\r\n').length - 1;
      line = lines + 1 - doubled;
      return null;
    },
  });
  let failure: CsvError | undefined;
  parser.on('error', (error) => {
    if (!(error instanceof CsvError)) throw error;
    failure = error;
  });
  parser.resume();
  for await (const piece of pieces) {
    await new Promise<void>((resolve) => parser.write(piece, () => resolve()));
    yield* found;
    if (failure !== undefined) return yield broken(failure, line);
    found = [];
  }
  await new Promise<void>((resolve) => {
    parser.once('close', resolve);
    parser.end();
  });
  yield* found;
  if (failure !== undefined) yield broken(failure, line);
}

function broken(error: CsvError, line: number): ItemText {
  return { kind: 'broken', message: `line ${line}: ${REASONS[error.code] ?? 'this is no CSV'}` };
}

const REASONS: Readonly<Partial<Record<string, string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'something stands behind the closing quote of a cell; a quote inside quotes is written twice',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell that does not begin with one; quote the whole cell, and write the inner quote twice',
  CSV_MAX_RECORD_SIZE: 'an item is longer than 8 MiB',
};
