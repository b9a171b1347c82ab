import type { Json } from './json.js';

/** Lists and maps inside one another in a value of a run. What walks over values calls itself at each level, and has a stack for these. */
export const MAX_VALUE_DEPTH = 1_000;

/**
 * What a run cannot hold of a value that comes in from outside: an input, a person's answer, what a model writes. A number such as
 * `1e999` is read as Infinity, and would be null as soon as it is written down. A loop with a stack of its own.
 */
export function misfit(value: Json): string | undefined {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_VALUE_DEPTH) return `nested more than ${MAX_VALUE_DEPTH} levels deep`;
    const inner: Json[] = [];
    for (const one of level) {
      if (typeof one === 'object' && one !== null) for (const item of Object.values(one)) inner.push(item);
      else if (one === Number.POSITIVE_INFINITY || one === Number.NEGATIVE_INFINITY) return 'not finite: a number in it is too large';
    }
    level = inner;
  }
  return undefined;
}
