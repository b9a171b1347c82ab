import { performance } from 'node:perf_hooks';

export interface Measured {
  /** Median of the passes, in milliseconds a call. */
  readonly ms: number;
  readonly spread: number;
}

export type Work = () => unknown;

/**
 * Measures several works side by side: one pass of each in turn, again and again, so that what slows the machine slows all of them. A pass
 * repeats its work until it has taken a while, since a clock cannot see a microsecond.
 */
export async function sideBySide<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  options: { readonly passes?: number; readonly passMs?: number } = {},
): Promise<Record<Name, Measured>> {
  const { passes = 7, passMs = 30 } = options;
  const names = Object.keys(works) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, await callsFor(works[name], passMs));
  for (let pass = 0; pass < passes; pass++) {
    for (const name of names) times.get(name)!.push(await timeOf(works[name], counts.get(name)!));
  }
  return Object.fromEntries(names.map((name) => [name, summary(times.get(name)!)])) as Record<Name, Measured>;
}

/** Also the warm-up. */
async function callsFor(work: Work, passMs: number): Promise<number> {
  let calls = 1;
  for (;;) {
    const ms = await timeOf(work, calls);
    if (ms * calls >= passMs || calls >= 1 << 20) return calls;
    calls *= 2;
  }
}

async function timeOf(work: Work, calls: number): Promise<number> {
  const start = performance.now();
  for (let call = 0; call < calls; call++) {
    const result = work();
    if (result instanceof Promise) await result;
  }
  return (performance.now() - start) / calls;
}

export function summary(times: readonly number[]): Measured {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const ms = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { ms, spread: sorted.at(-1)! / sorted[0]! };
}
