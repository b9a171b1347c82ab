import { type Document, isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';

/** Keys and indexes from the root to a value. */
export type Path = readonly (string | number)[];

export interface Located {
  readonly path: Path;
  readonly value: unknown;
}

/** A fresh copy of a document, in the layout in which every mutant is written: what differs in a mutant is the mutation alone. */
export function documentOf(text: string): Document {
  return parseDocument(text, { version: '1.2' });
}

export function textOf(document: Document): string {
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** Every map entry and list item, with plain values. */
export function entriesOf(document: Document): Located[] {
  const found: Located[] = [];
  visit(document, {
    Pair(_key, pair, ancestors) {
      found.push({ path: pathOf([...ancestors, pair]), value: plain(pair.value) });
    },
    Node(key, node, ancestors) {
      if (typeof key === 'number') found.push({ path: pathOf([...ancestors, node], key), value: plain(node) });
    },
  });
  return found;
}

export type Lines = readonly [first: number, last: number];

/** The first and last line of what stands at a path, keys included, once for each time that a key is written; the nearest owner's if nothing does. */
export function linesOf(text: string, path: Path): readonly Lines[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', uniqueKeys: false });
  for (let length = path.length; length > 0; length--) {
    const ranges = rangesAt(document, path.slice(0, length));
    if (ranges.length > 0) return ranges.map(([start, end]) => [lines.linePos(start).line, lines.linePos(Math.max(start, end - 1)).line]);
  }
  return [[1, lines.lineStarts.length]];
}

function rangesAt(document: Document, path: Path): readonly (readonly [start: number, end: number])[] {
  const key = path.at(-1);
  const owner = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (isMap(owner)) {
    return owner.items.flatMap((pair) => {
      if (!isScalar(pair.key) || pair.key.value !== key) return [];
      const start = pair.key.range?.[0];
      const end = (pair.value as Node | null)?.range?.[1] ?? pair.key.range?.[1];
      return start === undefined || end === undefined ? [] : [[start, end] as const];
    });
  }
  const range = isSeq(owner) && typeof key === 'number' ? (owner.items[key] as Node | undefined)?.range : undefined;
  return range == null ? [] : [[range[0], range[1]]];
}

function pathOf(ancestors: readonly unknown[], last?: number): Path {
  const path: (string | number)[] = [];
  ancestors.forEach((each, at) => {
    if (isPair(each)) path.push(isScalar(each.key) ? String(each.key.value) : String(each.key));
    const next = ancestors[at + 1];
    if (isSeq(each) && next !== undefined) path.push(at + 2 === ancestors.length && last !== undefined ? last : each.items.indexOf(next));
  });
  return path;
}

function plain(node: unknown): unknown {
  return typeof node === 'object' && node !== null && 'toJSON' in node ? (node as Node).toJSON() : node;
}
