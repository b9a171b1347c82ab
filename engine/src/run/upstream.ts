import type { ScopePlan } from '../plan/plan.js';

const ancestors = new WeakMap<ScopePlan, Ancestors>();

/** Of one reader: the last one that asked, since an expression asks many times and a set of each would grow with the square of the graph. */
interface Ancestors {
  readonly reader: number;
  readonly nodes: ReadonlySet<number>;
}

/**
 * Whether there is a path of edges from one node to another. A direct predecessor, which is what nearly every read names, costs its
 * reader's in-degree; only a farther one walks back through the graph.
 */
export function isUpstream(plan: ScopePlan, source: number, reader: number): boolean {
  const isDirect = plan.nodes[reader]!.in.some((edge) => plan.edges[edge]!.from === source);
  return isDirect || ancestorsOf(plan, reader).has(source);
}

function ancestorsOf(plan: ScopePlan, reader: number): ReadonlySet<number> {
  const known = ancestors.get(plan);
  if (known?.reader === reader) return known.nodes;
  const nodes = walkBack(plan, reader);
  ancestors.set(plan, { reader, nodes });
  return nodes;
}

function walkBack(plan: ScopePlan, reader: number): ReadonlySet<number> {
  const seen = new Set<number>();
  const left = [reader];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    for (const edge of plan.nodes[node]!.in) {
      const { from } = plan.edges[edge]!;
      if (seen.has(from)) continue;
      seen.add(from);
      left.push(from);
    }
  }
  return seen;
}
