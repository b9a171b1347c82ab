import type { Json } from '../json.js';

/** What stands in a scope for a secret input: `{"$secret": name}`. The value itself is never there. */
export interface SecretMarker {
  readonly $secret: string;
}

export function isSecretMarker(value: Json | undefined): value is { readonly $secret: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, '$secret')) return false;
  return typeof (value as { readonly $secret: Json }).$secret === 'string' && Object.keys(value).length === 1;
}
