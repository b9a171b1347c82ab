/** One item as it stands in its source, before anybody has judged it. */
export type ItemText =
  /** A record of a CSV file, with as many cells as it has. */
  | { readonly kind: 'cells'; readonly cells: readonly string[]; readonly line: number; readonly bytes: number }
  /** What should be one JSON value. `line` is where it begins, counted from 1; `bytes` of the source lie before its end, about. */
  | { readonly kind: 'json'; readonly text: string; readonly line: number; readonly bytes: number }
  /** Nothing behind this place can be read. Always the last one. */
  | { readonly kind: 'broken'; readonly message: string };

/** Longest item, in UTF-16 units: what bounds the memory that reading takes. */
export const LONGEST_ITEM: number = 8 * 1024 * 1024;
