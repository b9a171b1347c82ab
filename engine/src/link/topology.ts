import type { LinkedScope } from './model.js';

type Graph = Pick<LinkedScope, 'nodes' | 'edges'>;

/** Indexes so that every edge leads forward, first listed first. What lies on or behind a cycle is missing. */
export function topologicalOrder(scope: Graph): readonly number[] {
  const waiting = new Int32Array(scope.nodes.length);
  for (const edge of scope.edges) waiting[edge.to] = (waiting[edge.to] as number) + 1;
  const order: number[] = [];
  for (const node of scope.nodes) if (waiting[node.index] === 0) order.push(node.index);
  for (let next = 0; next < order.length; next += 1) {
    for (const index of scope.nodes[order[next] as number]?.out ?? []) {
      const to = scope.edges[index]?.to as number;
      waiting[to] = (waiting[to] as number) - 1;
      if (waiting[to] === 0) order.push(to);
    }
  }
  return order;
}

/**
 * Cycles, each as the nodes on it: for each knot of nodes that reach one another the shortest cycle through its first listed node, or
 * through the first that lies on one. Linear, so a knot of many cycles is one finding.
 */
export function cycles(scope: LinkedScope): readonly (readonly number[])[] {
  if (scope.order.length === scope.nodes.length) return [];
  const inOrder = new Uint8Array(scope.nodes.length);
  for (const index of scope.order) inOrder[index] = 1;
  const knots = knotsOf(scope, inOrder);
  return knots.map((knot) => shortestCycle(scope, knot)).sort((a, b) => (a[0] as number) - (b[0] as number));
}

/** Strongly connected components with a cycle, by Tarjan's algorithm with a stack of its own. */
function knotsOf(scope: Graph, skip: Uint8Array): readonly (readonly number[])[] {
  const count = scope.nodes.length;
  const number = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const onStack = new Uint8Array(count);
  const stack: number[] = [];
  const knots: number[][] = [];
  let next = 0;
  for (let start = 0; start < count; start += 1) {
    if (skip[start] === 1 || number[start] !== -1) continue;
    const calls: { node: number; edge: number }[] = [{ node: start, edge: 0 }];
    while (calls.length > 0) {
      const call = calls[calls.length - 1] as { node: number; edge: number };
      const { node } = call;
      if (call.edge === 0) {
        number[node] = low[node] = next;
        next += 1;
        stack.push(node);
        onStack[node] = 1;
      }
      const out = scope.nodes[node]?.out ?? [];
      let descended = false;
      while (call.edge < out.length) {
        const to = scope.edges[out[call.edge] as number]?.to as number;
        call.edge += 1;
        if (skip[to] === 1) continue;
        if (number[to] === -1) {
          calls.push({ node: to, edge: 0 });
          descended = true;
          break;
        }
        if (onStack[to] === 1) low[node] = Math.min(low[node] as number, number[to] as number);
      }
      if (descended) continue;
      calls.pop();
      const caller = calls[calls.length - 1]?.node;
      if (caller !== undefined) low[caller] = Math.min(low[caller] as number, low[node] as number);
      if (low[node] !== number[node]) continue;
      const knot: number[] = [];
      for (let member = stack.pop() as number; ; member = stack.pop() as number) {
        onStack[member] = 0;
        knot.push(member);
        if (member === node) break;
      }
      const selfLoop = out.some((index) => scope.edges[index]?.to === node);
      if (knot.length > 1 || selfLoop) knots.push(knot.sort((a, b) => a - b));
    }
  }
  return knots;
}

function shortestCycle(scope: Graph, knot: readonly number[]): readonly number[] {
  const inside = new Set(knot);
  const start = knot[0] as number;
  const cameFrom = new Map<number, number>();
  const queue = [start];
  for (let next = 0; next < queue.length; next += 1) {
    const node = queue[next] as number;
    for (const index of scope.nodes[node]?.out ?? []) {
      const to = scope.edges[index]?.to as number;
      if (to === start) return pathTo(cameFrom, start, node);
      if (!inside.has(to) || cameFrom.has(to)) continue;
      cameFrom.set(to, node);
      queue.push(to);
    }
  }
  return knot;
}

function pathTo(cameFrom: ReadonlyMap<number, number>, start: number, end: number): readonly number[] {
  const path = [end];
  for (let node = end; node !== start; ) {
    node = cameFrom.get(node) as number;
    path.push(node);
  }
  return path.reverse();
}
