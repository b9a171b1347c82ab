import type { Json } from '../json.js';

/** Numbers that stand for values: equal values have the same one, whatever the order of their keys. Each object is looked at once. */
export interface Numbers {
  readonly known: Map<string, number>;
  readonly ofObjects: Map<object, number>;
}

export function newNumbers(): Numbers {
  return { known: new Map(), ofObjects: new Map() };
}

/**
 * Whether no two items are equal, in time that is linear in their size: comparing each with each would let a long list stall the run.
 * `numbers` is shared by all lists of one value, so that a list inside lists is not looked at again for each list around it.
 */
export function areUnique(items: readonly Json[], numbers: Numbers): boolean {
  return new Set(items.map((item) => numberOf(item, numbers))).size === items.length;
}

function numberOf(value: Json, numbers: Numbers): number {
  if (typeof value !== 'object' || value === null) return known(JSON.stringify(value), numbers);
  let number = numbers.ofObjects.get(value);
  if (number === undefined) {
    number = known(partsOf(value, numbers), numbers);
    numbers.ofObjects.set(value, number);
  }
  return number;
}

function partsOf(value: object, numbers: Numbers): string {
  if (Array.isArray(value)) return `[${(value as Json[]).map((item) => numberOf(item, numbers)).join(',')}]`;
  const entries = Object.entries(value as { readonly [key: string]: Json });
  return `{${entries
    .map(([key, item]) => `${JSON.stringify(key)}:${numberOf(item, numbers)}`)
    .sort()
    .join(',')}}`;
}

function known(text: string, { known: numbers }: Numbers): number {
  let number = numbers.get(text);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(text, number);
  }
  return number;
}
