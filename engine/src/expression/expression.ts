/** A parsed expression: plain data that can be kept, compared and printed. */
export interface Expression {
  readonly kind: 'expression';
  readonly text: string;
  /** Set when the expression is a literal or a plain member path, which is evaluated without a virtual machine. */
  readonly plain?: PlainPath;
  /** What the text reads from names that are not globals of the virtual machine, in order of position. */
  readonly reads: readonly Read[];
  /** Every occurrence of a name that is neither bound inside the text nor a global of the virtual machine. */
  readonly free: readonly FreeName[];
  /** For each free name, globals included, the part of its value that the text can read. Used to send no more than that. */
  readonly roots: readonly Root[];
  /** Whether evaluating can need the virtual machine. */
  readonly needsVm: boolean;
}

/** A literal, or reads along a chain of literal keys from one name. */
export type PlainPath =
  /** Without `value` the literal is `undefined`. */
  | { readonly kind: 'literal'; readonly value?: null | boolean | number | string }
  | { readonly kind: 'path'; readonly root: string; readonly steps: readonly PlainStep[] };

export interface PlainStep {
  readonly key: string;
  /** Written `?.`: null or undefined before it ends the whole chain with undefined. */
  readonly optional: boolean;
}

/**
 * A static read rooted at a free name. `path` holds the literal keys after the root as far as they are static:
 * `run.outputs["a"].b[0]` has root `run` and path `['outputs', 'a', 'b', 0]`.
 */
export interface Read {
  readonly root: string;
  readonly path: readonly (string | number)[];
  /**
   * What is read below `path` cannot be told from the text: the chain goes on with a key that is not a literal, a method is called
   * on the value, it is written to, or it is the root or one of the maps of `run` (`run.outputs`, …) used as a whole.
   */
  readonly computed: boolean;
  /** Offsets in the text, in UTF-16 units; `end` is behind the last key of `path`. */
  readonly start: number;
  readonly end: number;
}

export interface FreeName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface Root {
  readonly name: string;
  readonly projection: Projection;
}

/** The part of a value that can be read: all of it, keys that are known when it runs, or only what stands below these keys. */
export interface Projection {
  readonly whole: boolean;
  /** Read by a key that is not a literal, and `keys` is empty; unless `whole`, in no other way. */
  readonly keyed: boolean;
  readonly keys: readonly ProjectedKey[];
}

export interface ProjectedKey {
  readonly key: string;
  readonly projection: Projection;
}

/** The longest text that is read as one expression, in UTF-16 units: some steps of parsing are quadratic in the number of names. */
export const MAX_EXPRESSION_LENGTH: number = 65_536;
