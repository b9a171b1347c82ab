/** A graph of no-op steps, as bare as it can be. */
export interface BareGraph {
  readonly successors: readonly (readonly number[])[];
  readonly sources: readonly number[];
}

export function bareChain(length: number): BareGraph {
  return graph(
    length,
    Array.from({ length: length - 1 }, (_, n) => [n, n + 1] as const),
  );
}

export function bareFan(width: number): BareGraph {
  const leaves = Array.from({ length: width - 2 }, (_, n) => n + 1);
  return graph(width, [...leaves.map((leaf) => [0, leaf] as const), ...leaves.map((leaf) => [leaf, width - 1] as const)]);
}

/** Counts down in-degrees with at most 64 steps at once: the floor for anything that runs a graph. */
export function runBare({ successors, sources }: BareGraph): Promise<number> {
  return new Promise((resolve, reject) => {
    const left = [...sources];
    const ready = left.flatMap((count, node) => (count === 0 ? [node] : []));
    let [head, active, done] = [0, 0, 0];
    const pump = (): void => {
      while (active < 64 && head < ready.length) {
        const node = ready[head++]!;
        active++;
        step(node).then(() => {
          active--;
          done++;
          for (const next of successors[node]!) if (--left[next]! === 0) ready.push(next);
          if (done === successors.length) resolve(done);
          else pump();
        }, reject);
      }
    };
    pump();
  });
}

async function step(value: number): Promise<number> {
  return value + 1;
}

function graph(size: number, edges: readonly (readonly [number, number])[]): BareGraph {
  const successors: number[][] = Array.from({ length: size }, () => []);
  const sources = Array.from({ length: size }, () => 0);
  for (const [from, to] of edges) {
    successors[from]!.push(to);
    sources[to]!++;
  }
  return { successors, sources };
}
