import type { Json } from '@relavium/schemas';

export type { Json };

export type JsonObject = { readonly [key: string]: Json };
