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

/** The first and last line of what stands at a path, keys included; the nearest owner's if nothing does. */
export function linesOf(text: string, path: Path): readonly [first: number, last: number] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', uniqueKeys: false });
  for (let length = path.length; length > 0; length--) {
    const range = rangeAt(document, path.slice(0, length));
    if (range !== undefined) return [lines.linePos(range[0]).line, lines.linePos(Math.max(range[0], range[1] - 1)).line];
  }
  return [1, 1];
}

function rangeAt(document: Document, path: Path): readonly [number, number] | undefined {
  const key = path.at(-1);
  const owner = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (isMap(owner)) {
    const pair = owner.items.find((item) => isScalar(item.key) && item.key.value === key);
    const start = (pair?.key as Node | undefined)?.range?.[0];
    const end = (pair?.value as Node | null | undefined)?.range?.[1] ?? (pair?.key as Node | undefined)?.range?.[1];
    return start === undefined || end === undefined ? undefined : [start, end];
  }
  if (isSeq(owner) && typeof key === 'number') {
    const range = (owner.items[key] as Node | undefined)?.range;
    return range == null ? undefined : [range[0], range[1]];
  }
  return undefined;
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
