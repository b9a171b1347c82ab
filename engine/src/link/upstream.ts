import type { LinkedNode, LinkedScope } from './model.js';

/** A question: has `source` ended for sure when `reader` starts? Both are indexes of one scope. */
export interface UpstreamQuestion {
  readonly source: number;
  readonly reader: number;
}

const BLOCK = 32;

/**
 * Answers questions of one scope, in their order. Most reads are of a direct predecessor and need no search. For the others the bits of
 * 32 sources at a time are pushed along the topological order, so the cost is the size of the graph for each 32 nodes that are
 * read, and never a search for each read. Nodes of cycles have no answer but false; the cycle is reported by itself.
 */
export function upstreamAnswers(scope: LinkedScope, questions: readonly UpstreamQuestion[]): readonly boolean[] {
  const answers = questions.map((question) => isDirect(scope, question));
  const open = questions.map((_, index) => index).filter((index) => answers[index] !== true);
  const sources = [...new Set(open.map((index) => (questions[index] as UpstreamQuestion).source))].sort((a, b) => a - b);
  const slots = new Map(sources.map((source, slot) => [source, slot]));
  const byBlock: number[][] = Array.from({ length: Math.ceil(sources.length / BLOCK) }, () => []);
  for (const index of open) byBlock[blockOf(slots, questions[index] as UpstreamQuestion)]?.push(index);
  byBlock.forEach((indexes, block) => {
    const reached = reachedBits(scope, sources.slice(block * BLOCK, (block + 1) * BLOCK));
    for (const index of indexes) {
      const { source, reader } = questions[index] as UpstreamQuestion;
      const bit = 1 << ((slots.get(source) as number) % BLOCK);
      answers[index] = ((reached[reader] as number) & bit) !== 0;
    }
  });
  return answers;
}

function blockOf(slots: ReadonlyMap<number, number>, question: UpstreamQuestion): number {
  return Math.floor((slots.get(question.source) as number) / BLOCK);
}

function isDirect(scope: LinkedScope, { source, reader }: UpstreamQuestion): boolean {
  const incoming = (scope.nodes[reader] as LinkedNode).in;
  // A join of thousands is left to the search, which looks at each edge once.
  return incoming.length <= BLOCK && incoming.some((index) => scope.edges[index]?.from === source);
}

/** For each node, one bit for each of the sources that lie upstream of it. */
function reachedBits(scope: LinkedScope, sources: readonly number[]): Int32Array {
  const own = new Int32Array(scope.nodes.length);
  sources.forEach((source, bit) => {
    own[source] = 1 << bit;
  });
  const reached = new Int32Array(scope.nodes.length);
  for (const node of scope.order) {
    const passed = (reached[node] as number) | (own[node] as number);
    if (passed === 0) continue;
    for (const index of (scope.nodes[node] as LinkedNode).out) {
      const to = scope.edges[index]?.to as number;
      reached[to] = (reached[to] as number) | passed;
    }
  }
  return reached;
}

/**
 * For 32 nodes at a time: a mask of those through which every path from a node to an end of the graph leads. Used for the losers of
 * races.
 */
export function alwaysThrough(scope: LinkedScope, targets: readonly number[]): readonly (readonly number[])[] {
  const found: number[][] = targets.map(() => []);
  for (let block = 0; block < targets.length; block += BLOCK) {
    const slice = targets.slice(block, block + BLOCK);
    const own = new Int32Array(scope.nodes.length);
    slice.forEach((target, bit) => {
      own[target] = 1 << bit;
    });
    const through = new Int32Array(scope.nodes.length);
    for (let next = scope.order.length - 1; next >= 0; next -= 1) {
      const node = scope.order[next] as number;
      const { out } = scope.nodes[node] as LinkedNode;
      let mask = out.length === 0 ? 0 : -1;
      for (const index of out) {
        const to = scope.edges[index]?.to as number;
        mask &= (through[to] as number) | (own[to] as number);
      }
      through[node] = mask;
    }
    slice.forEach((_, bit) => {
      for (let node = 0; node < through.length; node += 1)
        if (((through[node] as number) & (1 << bit)) !== 0) found[block + bit]?.push(node);
    });
  }
  return found;
}
