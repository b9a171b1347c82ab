import { csvItems } from './csv-items.js';
import { decodeText } from './decode-text.js';
import type { ItemText } from './item-text.js';
import { jsonArrayItems } from './json-array-items.js';
import { jsonLinesItems } from './json-lines-items.js';

export type ItemFormat = 'csv' | 'jsonl' | 'json';

export interface ReadItems {
  readonly format: ItemFormat;
  /** Read as they are asked for. Ends with a `broken` one where the source cannot be read to its end. */
  readonly items: AsyncIterable<ItemText>;
}

/** Items as they stand in a source, one by one, so that the whole is never in memory. Without a format the first character tells it. */
export async function readItems(source: AsyncIterable<Uint8Array>, format?: ItemFormat): Promise<ReadItems> {
  const { pieces, bytesAt } = decodeText(source);
  const reading = pieces[Symbol.asyncIterator]();
  const read: string[] = [];
  let known = format;
  let fault: unknown;
  try {
    while (known === undefined) {
      const next = await reading.next();
      if (!next.done) read.push(next.value);
      known = next.done === true ? 'jsonl' : formatOf(next.value);
    }
  } catch (error) {
    fault = error;
  }
  const all = resumed(read, reading, fault);
  const chosen = known ?? 'jsonl';
  switch (chosen) {
    case 'csv':
      return { format: chosen, items: untilBroken(csvItems(all)) };
    case 'jsonl':
      return { format: chosen, items: untilBroken(jsonLinesItems(all, bytesAt)) };
    case 'json':
      return { format: chosen, items: untilBroken(jsonArrayItems(all, bytesAt)) };
    default:
      return chosen satisfies never;
  }
}

function formatOf(text: string): ItemFormat | undefined {
  const first = /\S/.exec(text)?.[0];
  if (first === undefined) return undefined;
  return first === '[' ? 'json' : first === '{' ? 'jsonl' : 'csv';
}

async function* resumed(read: readonly string[], reading: AsyncIterator<string>, fault: unknown): AsyncGenerator<string> {
  yield* read;
  if (fault !== undefined) throw fault;
  try {
    for (let next = await reading.next(); next.done !== true; next = await reading.next()) yield next.value;
  } finally {
    await reading.return?.();
  }
}

async function* untilBroken(items: AsyncIterable<ItemText>): AsyncGenerator<ItemText> {
  try {
    yield* items;
  } catch (error) {
    const message = unreadable(error);
    if (message === undefined) throw error;
    yield { kind: 'broken', message };
  }
}

/** `undefined`: a fault of ours. */
function unreadable(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'the text is not UTF-8';
  return 'syscall' in error ? `the system reports ${error.code}` : undefined;
}
