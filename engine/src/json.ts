export type { Json } from '@relavium/schemas';
