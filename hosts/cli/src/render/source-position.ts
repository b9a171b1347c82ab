import { coverCredentials, type LineIndex, lineIndex, type Position, positionAt, type Range, type SourceText } from '@relavium/engine';

/** Where the lines of a source start. */
export const lineIndexOf: (source: SourceText) => LineIndex = oncePerSource(lineIndex);

/** A source as it may be shown: credentials that stand in it are covered, and all positions hold. */
export const shownTextOf: (source: SourceText) => string = oncePerSource(coverCredentials);

/** Found once a source, however many findings it has. */
function oncePerSource<T>(find: (text: string) => T): (source: SourceText) => T {
  const found = new WeakMap<SourceText, { readonly value: T }>();
  return (source) => {
    let known = found.get(source);
    if (known === undefined) {
      known = { value: find(source.text) };
      found.set(source, known);
    }
    return known.value;
  };
}

/** Line and column of both ends of a range, counted from 1; the end is exclusive. */
export function positionsOf(source: SourceText, { start, end }: Range): { readonly start: Position; readonly end: Position } {
  const index = lineIndexOf(source);
  return { start: positionAt(index, start), end: positionAt(index, end) };
}
