import type { Position } from './source-text.js';

/** Offsets at which the lines of a text start. Made once by whoever prints positions of that text. */
export type LineIndex = readonly number[];

/** Lines end at LF; the CR of a CRLF counts as the last column of its line. */
export function lineIndex(text: string): LineIndex {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Line and column of an offset; an offset behind the end belongs to the last line. */
export function positionAt(index: LineIndex, offset: number): Position {
  let low = 0;
  let high = index.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((index[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (index[low] as number) + 1 };
}
