import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LinkedNode, LinkedScope } from '../../../../engine/src/link/model.js';
import { cycles, topologicalOrder } from '../../../../engine/src/link/topology.js';
import { alwaysThrough, upstreamAnswers } from '../../../../engine/src/link/upstream.js';

type Pairs = readonly (readonly [number, number])[];

function scopeOf(count: number, pairs: Pairs): LinkedScope {
  const edges = pairs.map(([from, to]) => ({ from, to, on: 'success' as const, at: [] }));
  const nodes = Array.from({ length: count }, (_, index) => ({
    index,
    id: `n${index}`,
    in: edges.flatMap((edge, at) => (edge.to === index ? [at] : [])),
    out: edges.flatMap((edge, at) => (edge.from === index ? [at] : [])),
  })) as unknown as LinkedNode[];
  const open = { at: [], nodes, edges, byId: new Map(), order: [] as readonly number[] };
  return { ...open, order: topologicalOrder(open) };
}

function reaches(pairs: Pairs, from: number, to: number): boolean {
  const seen = new Set<number>();
  const stack = [from];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    for (const [a, b] of pairs) {
      if (a !== next || seen.has(b)) continue;
      if (b === to) return true;
      seen.add(b);
      stack.push(b);
    }
  }
  return false;
}

const acyclic = fc.nat({ max: 60 }).chain((more) => {
  const count = more + 2;
  const pair = fc.tuple(fc.nat(count - 1), fc.nat(count - 1)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  return fc.tuple(
    fc.constant(count),
    fc.array(pair, { maxLength: 120 }).map((pairs) => pairs.filter(([a, b]) => a !== b)),
  );
});

const anyGraph = fc.nat({ max: 12 }).chain((more) => {
  const count = more + 1;
  return fc.tuple(fc.constant(count), fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 30 }));
});

describe('a topological order', () => {
  it('leads every edge forward and holds every node of an acyclic scope', () => {
    fc.assert(
      fc.property(acyclic, ([count, pairs]) => {
        const { order } = scopeOf(count, pairs);
        expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index));
        const place = new Map(order.map((node, index) => [node, index]));
        for (const [a, b] of pairs) expect(place.get(a)).toBeLessThan(place.get(b) as number);
      }),
    );
  });
});

describe('questions about what is upstream', () => {
  it('are answered as a search for each would answer them', () => {
    fc.assert(
      fc.property(acyclic, ([count, pairs]) => {
        const scope = scopeOf(count, pairs);
        const questions = Array.from({ length: count }, (_, source) =>
          Array.from({ length: count }, (__, reader) => ({ source, reader })),
        ).flat();
        const answers = upstreamAnswers(scope, questions);
        questions.forEach(({ source, reader }, index) => {
          expect(answers[index]).toBe(reaches(pairs, source, reader));
        });
      }),
      { numRuns: 40 },
    );
  });

  it('about ways that all lead through a node are answered as removing it would', () => {
    fc.assert(
      fc.property(acyclic, ([count, pairs]) => {
        const scope = scopeOf(count, pairs);
        const targets = Array.from({ length: count }, (_, index) => index);
        alwaysThrough(scope, targets).forEach((region, target) => {
          const without = pairs.filter(([a]) => a !== target);
          const sinks = targets.filter((node) => node !== target && !pairs.some(([a]) => a === node));
          const expected = targets.filter(
            (node) =>
              node !== target && reaches(pairs, node, target) && !sinks.some((sink) => sink === node || reaches(without, node, sink)),
          );
          expect(region).toEqual(expected);
        });
      }),
      { numRuns: 40 },
    );
  });
});

describe('cycles', () => {
  it('are found where and only where a node reaches itself, and each one told is a cycle', () => {
    fc.assert(
      fc.property(anyGraph, ([count, pairs]) => {
        const scope = scopeOf(count, pairs);
        const found = cycles(scope);
        const circling = Array.from({ length: count }, (_, index) => index).filter((node) => reaches(pairs, node, node));
        expect(found.length > 0).toBe(circling.length > 0);
        for (const nodes of found) {
          nodes.forEach((node, index) => {
            const next = nodes[(index + 1) % nodes.length];
            expect(pairs.some(([a, b]) => a === node && b === next)).toBe(true);
          });
          expect(Math.min(...nodes)).toBe(nodes[0]);
        }
        // Every knot of nodes is told of once: from each circling node a told cycle can be reached and left again.
        for (const node of circling) {
          expect(
            found.some(([first]) => first === node || (reaches(pairs, node, first as number) && reaches(pairs, first as number, node))),
          ).toBe(true);
        }
      }),
    );
  });

  it('of 10 000 nodes in a ring are one chain', () => {
    const count = 10_000;
    const [ring] = cycles(scopeOf0(count));
    expect(ring).toHaveLength(count);
  });
});

/** A ring, built without looking at all pairs. */
function scopeOf0(count: number): LinkedScope {
  const edges = Array.from({ length: count }, (_, from) => ({ from, to: (from + 1) % count, on: 'success' as const, at: [] }));
  const nodes = edges.map((_, index) => ({
    index,
    id: `n${index}`,
    in: [(index + count - 1) % count],
    out: [index],
  })) as unknown as LinkedNode[];
  return { at: [], nodes, edges, byId: new Map(), order: [] };
}
