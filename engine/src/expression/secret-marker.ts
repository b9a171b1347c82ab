import type { Json } from '../json.js';

/** Whether a value is what stands in a scope for a secret input: `{"$secret": name}`. The secret itself is never there. */
export function isSecretMarker(value: Json | undefined): value is { readonly $secret: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, '$secret')) return false;
  return typeof (value as { readonly $secret: Json }).$secret === 'string' && Object.keys(value).length === 1;
}
