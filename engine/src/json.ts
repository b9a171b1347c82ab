/** A JSON value. Immutable: whoever holds one may keep it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
