import { createHash } from 'node:crypto';
import type { Json } from '@relavium/engine';

/** The same item at the same position has the same id, however its keys are ordered: 32 hex digits of a SHA-256. */
export function itemId(index: number, item: Json): string {
  return createHash('sha256')
    .update(`${index}\n${canonical(item)}`)
    .digest('hex')
    .slice(0, 32);
}

function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const object = value as { readonly [key: string]: Json };
  const entries = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(object[key]!)}`);
  return `{${entries.join(',')}}`;
}
