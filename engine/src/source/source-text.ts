/** The text of one file. `path` names it for people and for relative references; it is also its identity. */
export interface SourceText {
  readonly path: string;
  /** Without the byte order mark; at most 2 MiB. */
  readonly text: string;
}

/** Half-open range of UTF-16 offsets in a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Counted from 1; columns are UTF-16 code units, as editors count them. */
export interface Position {
  readonly line: number;
  readonly column: number;
}
