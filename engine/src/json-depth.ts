import type { Json } from './json.js';

/** Lists and maps inside one another in a value of a run. What walks over values calls itself at each level, and has a stack for these. */
export const MAX_VALUE_DEPTH = 1_000;

/** Judged wherever a value comes in from outside: inputs, a person's answer, what a model writes. A loop with a stack of its own. */
export function isTooDeep(value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_VALUE_DEPTH) return true;
    const inner: Json[] = [];
    for (const one of level) if (typeof one === 'object' && one !== null) for (const item of Object.values(one)) inner.push(item);
    level = inner;
  }
  return false;
}
