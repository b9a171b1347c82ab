import type { Span } from './span.js';

/** Finds many texts in one pass, all occurrences, overlapping ones too, and those that were wrapped into lines. The time is linear in the text searched, whatever the needles are. */
export interface NeedleSearch {
  /** Where needles are, in order, those that overlap joined. */
  find(text: string): Span[];
  /** How much of the end of a text may be the beginning of a needle. */
  openEnd(text: string): number;
}

/** Aho and Corasick, "Efficient string matching: an aid to bibliographic search" (1975). State 0 is the root: nothing is under way. */
export function needleSearch(needles: Iterable<string>): NeedleSearch {
  const trie = newTrie();
  for (const needle of needles) insert(trie, needle);
  link(trie);
  const { depth, longest } = trie;
  const isSkipped = (state: number, unit: number): boolean =>
    (unit === 0x0a || unit === 0x0d) && depth[state]! >= UNDER_WAY && trie.firstChild[state] !== 0 && childOf(trie, state, unit) === 0;
  return {
    find(text) {
      const spans: { start: number; end: number }[] = [];
      let skipped: number[] = NONE;
      let state = 0;
      for (let index = 0; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        if (isSkipped(state, unit)) {
          if (skipped === NONE) skipped = [];
          skipped.push(index);
          continue;
        }
        state = step(trie, state, unit);
        if (state === 0) skipped = NONE;
        const length = longest[state]!;
        if (length > 0) join(spans, startOf(length, index + 1, skipped), index + 1);
      }
      return spans;
    },
    openEnd(text) {
      let skipped: number[] = NONE;
      let state = 0;
      let end = 0;
      for (let index = 0; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        if (isSkipped(state, unit)) {
          if (skipped === NONE) skipped = [];
          skipped.push(index);
          continue;
        }
        state = step(trie, state, unit);
        if (state === 0) skipped = NONE;
        end = index + 1;
      }
      return state === 0 ? 0 : text.length - startOf(depth[state]!, end, skipped);
    },
  };
}

/** Shared by all texts in which nothing was skipped, and never written to. */
const NONE: number[] = [];

/** Where so many characters before `end` begin, those that were skipped not counted. */
function startOf(length: number, end: number, skipped: readonly number[]): number {
  let start = end - length;
  for (let last = skipped.length - 1; last >= 0 && skipped[last]! >= start; last--) if (skipped[last]! < end) start--;
  return start;
}

/** Programs wrap what they encode: where so much of a needle has come, a line break in it does not count. */
const UNDER_WAY = 4;

/** A longer needle that ends here may begin before spans that were found already. */
function join(spans: { start: number; end: number }[], from: number, end: number): void {
  let start = from;
  for (let last = spans.at(-1); last !== undefined && last.end > start; last = spans.at(-1)) {
    start = Math.min(start, last.start);
    spans.pop();
  }
  spans.push({ start, end });
}

/** A node a state, in columns. Children hang in a list: but for the root, nearly every state has one. */
interface Trie {
  readonly unit: number[];
  readonly firstChild: number[];
  readonly nextSibling: number[];
  readonly fail: number[];
  readonly depth: number[];
  /** Length of the longest needle that ends in this state, 0 for none. */
  readonly longest: number[];
  readonly root: Map<number, number>;
  /** What the root says to ASCII, 0 for nothing. */
  readonly rootTable: Int32Array;
}

function newTrie(): Trie {
  return {
    unit: [0],
    firstChild: [0],
    nextSibling: [0],
    fail: [0],
    depth: [0],
    longest: [0],
    root: new Map(),
    rootTable: new Int32Array(128),
  };
}

function insert(trie: Trie, needle: string): void {
  let state = 0;
  for (let index = 0; index < needle.length; index++) {
    const unit = needle.charCodeAt(index);
    state = childOf(trie, state, unit) || addChild(trie, state, unit);
  }
  trie.longest[state] = needle.length;
}

function addChild({ unit, firstChild, nextSibling, fail, depth, longest, root, rootTable }: Trie, parent: number, value: number): number {
  const child = unit.length;
  unit.push(value);
  firstChild.push(0);
  nextSibling.push(firstChild[parent]!);
  fail.push(0);
  depth.push(depth[parent]! + 1);
  longest.push(0);
  firstChild[parent] = child;
  if (parent === 0) {
    root.set(value, child);
    if (value < 128) rootTable[value] = child;
  }
  return child;
}

function childOf({ unit, firstChild, nextSibling, root, rootTable }: Trie, state: number, value: number): number {
  if (state === 0) return value < 128 ? rootTable[value]! : (root.get(value) ?? 0);
  let child = firstChild[state]!;
  while (child !== 0 && unit[child] !== value) child = nextSibling[child]!;
  return child;
}

function step(trie: Trie, from: number, value: number): number {
  for (let state = from; ; state = trie.fail[state]!) {
    const next = childOf(trie, state, value);
    if (next !== 0 || state === 0) return next;
  }
}

/** Gives each state, level by level, the state of its longest proper suffix, and the needles that end in that one. */
function link(trie: Trie): void {
  const queue = [...trie.root.values()];
  for (let next = 0; next < queue.length; next++) {
    const state = queue[next]!;
    for (let child = trie.firstChild[state]!; child !== 0; child = trie.nextSibling[child]!) {
      const fail = step(trie, trie.fail[state]!, trie.unit[child]!);
      trie.fail[child] = fail;
      trie.longest[child] = Math.max(trie.longest[child]!, trie.longest[fail]!);
      queue.push(child);
    }
  }
}
