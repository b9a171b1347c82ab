/** Numbers that depend on the seed alone (mulberry32). */
export interface Random {
  /** A whole number from 0 to bound - 1. */
  below(bound: number): number;
  pick<T>(list: readonly T[]): T;
  bytes(count: number): Uint8Array;
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (bound: number): number => next() % bound;
  return {
    below,
    pick: (list) => list[below(list.length)]!,
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
  };
}
