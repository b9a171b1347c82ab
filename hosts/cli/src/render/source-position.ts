import { coverCredentials, type LineIndex, lineIndex, type Position, positionAt, type Range, type SourceText } from '@relavium/engine';

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

const shownTexts = new WeakMap<SourceText, string>();

/** A source as it may be shown: credentials that stand in it are covered, and all positions hold. Found once a source. */
export function shownTextOf(source: SourceText): string {
  let text = shownTexts.get(source);
  if (text === undefined) {
    text = coverCredentials(source.text);
    shownTexts.set(source, text);
  }
  return text;
}

/** Line and column of both ends of a range, counted from 1; the end is exclusive. */
export function positionsOf(source: SourceText, { start, end }: Range): { readonly start: Position; readonly end: Position } {
  const index = lineIndexOf(source);
  return { start: positionAt(index, start), end: positionAt(index, end) };
}
