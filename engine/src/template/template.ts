import type { Expression, FreeName, Read } from '../expression/expression.js';
import type { Json } from '../json.js';

/** A parsed template: plain data. Offsets of `reads` and `free` count in `text`. */
export interface Template {
  readonly kind: 'template';
  readonly text: string;
  readonly segments: readonly Segment[];
  /** The text is exactly one hole, so that it gives a value of any type and not a text. */
  readonly single: boolean;
  readonly reads: readonly Read[];
  readonly free: readonly FreeName[];
  /** Whether rendering can need the expression VM. */
  readonly needsVm: boolean;
  /** Whether rendering reads files, and so cannot be synchronous. */
  readonly readsFiles: boolean;
}

export type Segment = Literal | Hole;

export interface Literal {
  readonly kind: 'literal';
  readonly text: string;
}

/** `{{ head | filter(argument) }}`. */
export interface Hole {
  readonly kind: 'hole';
  readonly head: Expression;
  readonly filters: readonly FilterCall[];
  /** Offsets in the template, braces included. */
  readonly start: number;
  readonly end: number;
}

export interface FilterCall {
  readonly name: FilterName;
  readonly args: readonly Json[];
}

export type FilterName =
  | 'json'
  | 'compact'
  | 'length'
  | 'default'
  | 'read_file'
  | 'trim'
  | 'lines'
  | 'join'
  | 'upper'
  | 'lower'
  | 'quote'
  | 'truncate';
