import type { Json } from '../json.js';
import { clip } from './clip.js';
import { maskJson } from './mask-json.js';

/**
 * The value as one line of JSON, masked, at most `limit` characters. Texts and lists are cut to what can show before they are masked,
 * with room to spare for a credential that begins in the part that shows, so the cost does not grow with the value.
 */
export function preview(value: Json, limit: number): string {
  const room = limit + MARGIN;
  return clip(JSON.stringify(maskJson(leftAfter(value, room) > 0 ? value : reduced(value, { left: room }))), limit);
}

/** Longer than any credential of a known shape, private keys included. */
const MARGIN = 8_192;

/** What is left of a budget once the value has taken its part, as `reduced` counts; 0 or less: it has to be cut. */
function leftAfter(value: Json, budget: number): number {
  if (typeof value === 'string') return budget - value.length;
  if (typeof value !== 'object' || value === null) return budget - 4;
  let left = budget;
  const isList = Array.isArray(value);
  for (const key in value) {
    if (left <= 0) break;
    left = leftAfter((value as { readonly [key: string]: Json })[key]!, left - 1 - (isList ? 0 : key.length));
  }
  return left;
}

function reduced(value: Json, budget: { left: number }): Json {
  if (typeof value === 'string') {
    const text = value.slice(0, Math.max(budget.left, 0));
    budget.left -= text.length;
    return text;
  }
  if (typeof value !== 'object' || value === null) {
    budget.left -= 4;
    return value;
  }
  if (Array.isArray(value)) return taken(value as readonly Json[], budget, (item) => reduced(item, budget));
  const entries = taken(Object.entries(value as { readonly [key: string]: Json }), budget, ([key, item]) => {
    budget.left -= key.length;
    return [key, reduced(item, budget)] as const;
  });
  return Object.fromEntries(entries);
}

function taken<From, To>(items: readonly From[], budget: { left: number }, take: (item: From) => To): readonly To[] {
  const result: To[] = [];
  for (const item of items) {
    if (budget.left <= 0) break;
    budget.left -= 1;
    result.push(take(item));
  }
  return result;
}
