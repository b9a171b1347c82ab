import type { Json } from '../json.js';
import { mask } from './mask.js';
import { MASKED } from './masked.js';
import { isSensitiveKey, isWorkingFolder } from './sensitive-key.js';

/** The value with credentials replaced, or the value itself where there is none: in every text by their shape, and whole values by their key or the flag before them. */
export function maskJson(value: Json): Json {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    const items = value.map((item, index) => (isAfterFlag(value[index - 1], item) ? MASKED : maskJson(item)));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  // Most values hold no credential, and are given back as they are.
  for (const key of Object.keys(value)) {
    const item = (value as { readonly [key: string]: Json })[key]!;
    if (mask(key) !== key || maskEntry(key, item) !== item)
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [mask(name), maskEntry(name, inner)]));
  }
  return value;
}

/** `{"$secret": name}` stands for a secret and holds none. */
function maskEntry(key: string, item: Json): Json {
  const isHidden = item !== null && typeof item !== 'boolean' && key !== '$secret' && isSensitiveKey(key);
  return isHidden && !(typeof item === 'string' && isWorkingFolder(key, item)) ? MASKED : maskJson(item);
}

/** `["--token", "x"]` */
function isAfterFlag(before: Json | undefined, item: Json): boolean {
  return (
    typeof item === 'string' &&
    typeof before === 'string' &&
    /^--?[A-Za-z]/u.test(before) &&
    !before.includes('=') &&
    isSensitiveKey(before)
  );
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
