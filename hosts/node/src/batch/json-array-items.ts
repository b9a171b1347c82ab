import { type ItemText, LONGEST_ITEM } from './item-text.js';

/**
 * The elements of a JSON array as texts, cut without reading them: whether an element is JSON is for its reader to judge. Brackets are
 * counted and strings skipped, so that a comma inside an element ends nothing.
 */
export async function* jsonArrayItems(pieces: AsyncIterable<string>, bytesAt: (units: number) => number): AsyncGenerator<ItemText> {
  let place = 'before' as Place;
  let line = 1;
  let beginsAt = 1;
  let depth = 0;
  let units = 0;
  let inString = false;
  let isEscaped = false;
  let parts: string[] = [];
  let length = 0;
  const broken = (message: string): ItemText => ({ kind: 'broken', message: `line ${line}: ${message}` });

  for await (const piece of pieces) {
    let start = 0;
    const takeUntil = (end: number): void => {
      parts.push(piece.slice(start, end));
      length += end - start;
    };
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (code === LINE_FEED) line++;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) inString = false;
        continue;
      }
      if (isSpace(code)) continue;
      if (place === 'element') {
        if (code === QUOTE) inString = true;
        else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
        else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && depth > 0) depth--;
        else if (depth === 0 && (code === COMMA || code === CLOSE_BRACKET)) {
          takeUntil(at);
          if (length > LONGEST_ITEM) return yield broken(TOO_LONG);
          yield { kind: 'json', text: parts.join('').trim(), line: beginsAt, bytes: bytesAt(units + at) };
          parts = [];
          length = 0;
          place = code === COMMA ? 'needs' : 'behind';
        }
        continue;
      }
      switch (place) {
        case 'before':
          if (code !== OPEN_BRACKET) return yield broken('the items must be one JSON array, which begins with [');
          place = 'first';
          break;
        case 'first':
        case 'needs':
          if (code === CLOSE_BRACKET && place === 'first') {
            place = 'behind';
            break;
          }
          if (code === COMMA || code === CLOSE_BRACKET) return yield broken('an item is missing beside a comma');
          place = 'element';
          beginsAt = line;
          start = at;
          // The character is looked at once more, as part of the element.
          at--;
          break;
        case 'behind':
          return yield broken('something stands behind the end of the array');
        default:
          return place satisfies never;
      }
    }
    if (place === 'element') takeUntil(piece.length);
    units += piece.length;
    if (length > LONGEST_ITEM) return yield broken(TOO_LONG);
  }
  if (place === 'before') yield broken('the items must be one JSON array, and here is nothing');
  else if (place !== 'behind') yield broken('the text ends before the array does');
}

/** Where the next character that is no space stands. `needs`: behind a comma. */
type Place = 'before' | 'first' | 'needs' | 'element' | 'behind';

const TOO_LONG = 'an item is longer than 8 MiB';
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function isSpace(code: number): boolean {
  return code === 0x20 || code === LINE_FEED || code === 0x0d || code === 0x09;
}
