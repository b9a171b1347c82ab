import { type ItemText, LONGEST_ITEM } from './item-text.js';

/** The lines of a JSON Lines text. Blank ones are no items. */
export async function* jsonLinesItems(pieces: AsyncIterable<string>, bytesAt: (units: number) => number): AsyncGenerator<ItemText> {
  let line = 1;
  let before = 0;
  let rest: string[] = [];
  let restLength = 0;
  const item = (text: string): ItemText | undefined =>
    text.trim() === '' ? undefined : { kind: 'json', text: text.trim(), line, bytes: bytesAt(before) };
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      const text = rest.join('') + piece.slice(start, end);
      rest = [];
      restLength = 0;
      before += end + 1 - start;
      start = end + 1;
      if (text.length > LONGEST_ITEM) return yield tooLong(line);
      const found = item(text);
      line++;
      if (found !== undefined) yield found;
    }
    // The pieces of a long line are joined once, when it ends.
    rest.push(piece.slice(start));
    restLength += piece.length - start;
    before += piece.length - start;
    if (restLength > LONGEST_ITEM) return yield tooLong(line);
  }
  const last = item(rest.join(''));
  if (last !== undefined) yield last;
}

function tooLong(line: number): ItemText {
  return { kind: 'broken', message: `line ${line}: an item is longer than 8 MiB` };
}
