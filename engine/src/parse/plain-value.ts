import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import {
  aliasLimit,
  duplicateKey,
  nonStringKey,
  numberRange,
  recursiveAlias,
  tooDeep,
  unknownAlias,
} from '../diagnostics/catalogue/reading.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js';
import type { Entry } from '../diagnostics/entry.js';
import type { Json } from '../json.js';
import { MAX_ALIAS_EXPANSION, MAX_YAML_DEPTH } from '../plan/ceilings.js';
import { type LineIndex, lineIndex, positionAt } from '../source/positions.js';
import type { Range, SourceText } from '../source/source-text.js';

export interface PlainValue {
  readonly value: Json;
  readonly targets: ReadonlyMap<Alias, Node>;
  readonly diagnostics: readonly Diagnostic[];
  /** False where walking the value would not end, or not soon. */
  readonly expandable: boolean;
}

interface Anchored {
  readonly node: Node;
  readonly value: Json;
  /** Values inside it when every alias is written out, itself included. */
  readonly size: number;
  /** Levels of collections inside it. */
  readonly depth: number;
}

interface Build {
  readonly source: SourceText;
  readonly anchors: Map<string, Anchored | 'open'>;
  readonly targets: Map<Alias, Node>;
  readonly diagnostics: Diagnostic[];
  /** Values so far, aliases written out. */
  size: number;
  /** Those of them that aliases added. */
  added: number;
  deepest: number;
  expandable: boolean;
  /** Made for the first duplicate key. */
  lines: LineIndex | undefined;
}

/** Plain data from composed nodes. The depth of the text was checked before, so this may call itself. */
export function plainValue(source: SourceText, document: Document.Parsed): PlainValue {
  const build: Build = {
    source,
    anchors: new Map(),
    targets: new Map(),
    diagnostics: [],
    size: 0,
    added: 0,
    deepest: 0,
    expandable: true,
    lines: undefined,
  };
  const value = nodeValue(build, document.contents, 1);
  return { value, targets: build.targets, diagnostics: build.diagnostics, expandable: build.expandable };
}

function nodeValue(build: Build, node: Node | null, depth: number): Json {
  build.size += 1;
  if (node === null) return null;
  if (isAlias(node)) return aliasValue(build, node, depth);
  const anchor = node.anchor;
  return anchor === undefined ? contentOf(build, node, depth) : anchored(build, node, anchor, depth);
}

function contentOf(build: Build, node: Node, depth: number): Json {
  if (isScalar(node)) return scalarValue(build, node);
  if (depth > build.deepest) build.deepest = depth;
  if (isMap(node)) return mapValue(build, node, depth);
  if (isSeq(node)) return node.items.map((item) => nodeValue(build, item as Node | null, depth + 1));
  return null;
}

function anchored(build: Build, node: Node, anchor: string, depth: number): Json {
  build.anchors.set(anchor, 'open');
  const sizeBefore = build.size - 1;
  const deepestBefore = build.deepest;
  build.deepest = depth - 1;
  const value = contentOf(build, node, depth);
  build.anchors.set(anchor, { node, value, size: build.size - sizeBefore, depth: build.deepest - depth + 1 });
  build.deepest = Math.max(build.deepest, deepestBefore);
  return value;
}

function aliasValue(build: Build, alias: Alias, depth: number): Json {
  const target = build.anchors.get(alias.source);
  if (target === undefined) return refuse(build, unknownAlias, alias, { name: alias.source });
  if (target === 'open') {
    build.expandable = false;
    return refuse(build, recursiveAlias, alias, { name: alias.source });
  }
  build.targets.set(alias, target.node);
  build.size += target.size - 1;
  build.added += target.size;
  if (depth + target.depth - 1 > MAX_YAML_DEPTH && build.expandable) {
    build.expandable = false;
    return refuse(build, tooDeep, alias, { limit: MAX_YAML_DEPTH });
  }
  if (build.added > MAX_ALIAS_EXPANSION && build.expandable) {
    build.expandable = false;
    return refuse(build, aliasLimit, alias, { limit: MAX_ALIAS_EXPANSION });
  }
  build.deepest = Math.max(build.deepest, depth + target.depth - 1);
  return target.value;
}

function mapValue(build: Build, map: YAMLMap, depth: number): Json {
  const value: { [key: string]: Json } = {};
  let first: Map<string, number> | undefined;
  for (const pair of map.items) {
    const key = keyOf(build, pair.key as Node | null);
    const item = nodeValue(build, pair.value as Node | null, depth + 1);
    if (Object.hasOwn(value, key)) {
      first ??= firstOffsets(map);
      reportDuplicate(build, pair.key as Node, key, first.get(key) ?? 0);
    } else if (key === '__proto__') {
      // A plain assignment would change the object's prototype instead of adding a key.
      Object.defineProperty(value, key, { value: item, enumerable: true, writable: true, configurable: true });
    } else value[key] = item;
  }
  return value;
}

function firstOffsets(map: YAMLMap): Map<string, number> {
  const offsets = new Map<string, number>();
  for (const { key } of map.items) {
    const text = isScalar(key) ? String(key.value) : '';
    if (!offsets.has(text)) offsets.set(text, rangeOf(key as Node).start);
  }
  return offsets;
}

function reportDuplicate(build: Build, key: Node, name: string, firstAt: number): void {
  build.lines ??= lineIndex(build.source.text);
  const { line } = positionAt(build.lines, firstAt);
  build.diagnostics.push(diagnose(duplicateKey, build.source, rangeOf(key), { key: name, line }));
}

function keyOf(build: Build, key: Node | null): string {
  if (isScalar(key)) {
    if (typeof key.value === 'string') return key.value;
    const text = key.source ?? '';
    const fix = text === '' ? undefined : { range: rangeOf(key), text: JSON.stringify(text) };
    build.diagnostics.push(diagnose(nonStringKey, build.source, rangeOf(key), { key: text }, { fix }));
    return text;
  }
  if (key !== null) build.diagnostics.push(diagnose(nonStringKey, build.source, rangeOf(key), { key: '' }));
  return '';
}

/** Integers that a double cannot hold would change in silence; infinities and NaN have no JSON. */
function scalarValue(build: Build, scalar: Scalar): Json {
  const value = scalar.value;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined) return value ?? null;
  if (typeof value !== 'number') return refuse(build, numberRange, scalar, { text: scalar.source ?? '' });
  const exact = !Number.isInteger(value) || Number.isSafeInteger(value) || /[.eE]/.test((scalar.source ?? '').replace(/^0x.*/, ''));
  if (!Number.isFinite(value) || !exact) return refuse(build, numberRange, scalar, { text: (scalar.source ?? '').slice(0, 40) });
  return value;
}

function refuse<Data>(build: Build, entry: Entry<Data>, node: Node, data: Data): Json {
  build.diagnostics.push(diagnose(entry, build.source, rangeOf(node), data));
  return null;
}

function rangeOf(node: Node): Range {
  const range = node.range;
  return range ? { start: range[0], end: range[1] } : { start: 0, end: 0 };
}
