import type { Json } from '../json.js';

export interface FoundTemplate {
  /** Keys and indexes from the value down to the text. */
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The texts with a hole in a nested value, in the order in which they stand there. Keys are no templates. */
export function templatesIn(value: Json): FoundTemplate[] {
  const found: FoundTemplate[] = [];
  const todo: { readonly value: Json; readonly path: readonly (string | number)[] }[] = [{ value, path: [] }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { value: at, path } = next;
    if (typeof at === 'string') {
      if (at.includes('{{')) found.push({ path, text: at });
    } else if (Array.isArray(at)) {
      for (let i = at.length - 1; i >= 0; i--) todo.push({ value: at[i] as Json, path: [...path, i] });
    } else if (typeof at === 'object' && at !== null) {
      for (const [key, child] of Object.entries(at).reverse()) todo.push({ value: child, path: [...path, key] });
    }
  }
  return found;
}
