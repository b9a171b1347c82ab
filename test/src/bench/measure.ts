import { performance } from 'node:perf_hooks';

export interface Measured {
  /** Median of the passes, in milliseconds a call. */
  readonly ms: number;
  /** Slowest pass over fastest. */
  readonly spread: number;
}

export type Work = () => unknown;

export interface Passes {
  readonly passes?: number;
  /** Least time that a pass takes: a work that is done sooner is repeated within it, since a clock cannot see a microsecond. */
  readonly passMs?: number;
}

/** For work in the order of microseconds that is done again and again: fully warmed up. */
export async function sideBySide<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  { passes = 7, passMs = 30 }: Passes = {},
): Promise<Record<Name, Measured>> {
  const counts = new Map<Name, number>();
  for (const name of namesOf(works)) counts.set(name, await callsFor(works[name], passMs));
  return inTurn(works, passes, (name) => counts.get(name)!);
}

/** For work that a process does once or a few times: some calls to load and warm up, then each pass is one call. */
export async function callByCall<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  passes: number,
  warmUps: number,
): Promise<Record<Name, Measured>> {
  for (const name of namesOf(works)) for (let call = 0; call < warmUps; call++) await timeOf(works[name], 1);
  return inTurn(works, passes, () => 1);
}

/** One pass of each work in turn, again and again, so that what slows the machine slows all of them. */
async function inTurn<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  passes: number,
  callsOf: (name: Name) => number,
): Promise<Record<Name, Measured>> {
  const names = namesOf(works);
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let pass = 0; pass < passes; pass++) {
    for (const name of names) times.get(name)!.push(await timeOf(works[name], callsOf(name)));
  }
  return Object.fromEntries(names.map((name) => [name, summary(times.get(name)!)])) as Record<Name, Measured>;
}

function namesOf<Name extends string>(works: Readonly<Record<Name, Work>>): Name[] {
  return Object.keys(works) as Name[];
}

async function callsFor(work: Work, passMs: number): Promise<number> {
  // What the first call loads and starts says nothing about the next ones.
  await timeOf(work, 1);
  let calls = 1;
  while ((await timeOf(work, calls)) * calls < passMs && calls < 1 << 20) calls *= 2;
  return calls;
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
