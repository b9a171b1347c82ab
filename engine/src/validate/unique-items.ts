import type { Json } from '../json.js';

/** Numbers that stand for values: equal values have the same one, whatever the order of their keys. */
type Numbers = { readonly known: Map<string, number>; readonly ofObjects: Map<object, number> };

/** By the value that is checked as a whole: lists inside lists are not looked at once more for each list around them. */
const numbersOf = new WeakMap<object, Numbers>();

/** Whether no two items are equal, in time that is linear in their size. Comparing each with each would let a long list stall the process. */
export function areUnique(items: readonly Json[], whole: unknown): boolean {
  const key = typeof whole === 'object' && whole !== null ? whole : items;
  let numbers = numbersOf.get(key);
  if (numbers === undefined) {
    numbers = { known: new Map(), ofObjects: new Map() };
    numbersOf.set(key, numbers);
  }
  const seen = new Set<number>();
  for (const item of items) seen.add(numberOf(item, numbers));
  return seen.size === items.length;
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
