import { type LineIndex, lineIndex, type Position, positionAt, type Range, type SourceText } from '@relavium/engine';

const indexes = new WeakMap<SourceText, LineIndex>();

/** Where the lines of a source start; found once a source, however many findings it has. */
export function lineIndexOf(source: SourceText): LineIndex {
  let index = indexes.get(source);
  if (index === undefined) {
    index = lineIndex(source.text);
    indexes.set(source, index);
  }
  return index;
}

/** Line and column of both ends of a range, counted from 1; the end is exclusive. */
export function positionsOf(source: SourceText, { start, end }: Range): { readonly start: Position; readonly end: Position } {
  const index = lineIndexOf(source);
  return { start: positionAt(index, start), end: positionAt(index, end) };
}
