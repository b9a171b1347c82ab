import { type Alias, isAlias, isCollection, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Json } from '../json.js';
import type { Range, SourceText } from '../source/source-text.js';
import { scalarOffsets } from './scalar-offsets.js';
import type { Path, Suppression, YamlDocument } from './yaml-document.js';

interface Found {
  /** Of the value; an alias is the place where it is used. */
  readonly node: Node | null;
  readonly key?: Node;
  /** Whether the whole path was there. */
  readonly whole: boolean;
}

/** Adds positions to plain data. Nothing is composed or computed before somebody asks for it; `targets` are what aliases name. */
export function locate(
  source: SourceText,
  value: Json,
  compose: () => Node | null,
  targets: ReadonlyMap<Alias, Node>,
  suppressions: readonly Suppression[],
): YamlDocument {
  const pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>();
  const offsets = new Map<Scalar, readonly number[] | undefined>();
  let root: Node | null | undefined;
  const find = (path: Path): Found => {
    root ??= compose();
    return walk(root, path, targets, pairs);
  };

  const offsetIn = (path: Path, valueOffset: number): number => {
    const node = resolved(find(path).node, targets);
    if (!isScalar(node)) return rangeOf(node).start;
    if (!offsets.has(node)) offsets.set(node, scalarOffsets(node, source.text));
    const map = offsets.get(node);
    return map?.[Math.min(valueOffset, map.length - 1)] ?? rangeOf(node).start;
  };

  const valueRange = (node: Node | null, path: Path): Range => {
    const range = rangeOf(node);
    if (isCollection(node)) return firstLine(source.text, range);
    if (isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')) {
      const start = offsetIn(path, 0);
      return { start, end: Math.max(start, trimmedEnd(source.text, range)) };
    }
    return range;
  };

  return {
    source,
    value,
    suppressions,
    rangeOf: (path, what) => {
      const found = find(path);
      if (found.key !== undefined && (what === 'key' || !found.whole)) return rangeOf(found.key);
      const range = valueRange(found.node, path);
      // A key without a value has nothing to show but itself.
      return range.start === range.end && found.key !== undefined ? rangeOf(found.key) : range;
    },
    offsetIn,
    extentOf: (path) => {
      const found = find(path);
      const value = rangeOf(found.node);
      return found.key === undefined ? value : { start: rangeOf(found.key).start, end: Math.max(value.end, rangeOf(found.key).end) };
    },
  };
}

function walk(root: Node | null, path: Path, targets: ReadonlyMap<Alias, Node>, pairs: Map<YAMLMap, ReadonlyMap<string, Pair>>): Found {
  let found: Found = { node: root, whole: true };
  for (const step of path) {
    const inside = resolved(found.node, targets);
    if (isMap(inside)) {
      const pair = pairOf(inside, String(step), pairs);
      if (pair === undefined) return { ...found, whole: false };
      found = { node: pair.value as Node | null, key: pair.key as Node, whole: true };
    } else if (isSeq(inside) && typeof step === 'number' && step < inside.items.length) {
      found = { node: inside.items[step] as Node, whole: true };
    } else return { ...found, whole: false };
  }
  return found;
}

/** A map that is asked often gets an index, so that many findings in one large map stay linear. */
function pairOf(map: YAMLMap, key: string, pairs: Map<YAMLMap, ReadonlyMap<string, Pair>>): Pair | undefined {
  if (map.items.length <= 16) return map.items.find((pair) => keyText(pair) === key);
  let index = pairs.get(map);
  if (index === undefined) {
    const made = new Map<string, Pair>();
    for (const pair of map.items) if (!made.has(keyText(pair))) made.set(keyText(pair), pair);
    pairs.set(map, made);
    index = made;
  }
  return index.get(key);
}

function keyText(pair: Pair): string {
  if (!isScalar(pair.key)) return '';
  return typeof pair.key.value === 'string' ? pair.key.value : (pair.key.source ?? '');
}

function resolved(node: Node | null, targets: ReadonlyMap<Alias, Node>): Node | null {
  return isAlias(node) ? (targets.get(node) ?? null) : node;
}

function rangeOf(node: Node | null): Range {
  const range = node?.range;
  return range ? { start: range[0], end: range[1] } : { start: 0, end: 0 };
}

function firstLine(text: string, range: Range): Range {
  const line = text.indexOf('\n', range.start);
  if (line === -1 || line >= range.end) return { start: range.start, end: trimmedEnd(text, range) };
  return { start: range.start, end: trimmedEnd(text, { start: range.start, end: line }) };
}

function trimmedEnd(text: string, range: Range): number {
  let end = range.end;
  while (end > range.start && /\s/.test(text[end - 1] as string)) end -= 1;
  return end;
}
