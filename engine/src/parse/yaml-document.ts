import type { Json } from '../json.js';
import type { Range, SourceText } from '../source/source-text.js';

/** Keys and indexes from the root of a document to a value. */
export type Path = readonly (string | number)[];

/** A YAML document as plain data that still knows where everything stands. Positions are worked out when they are asked for. */
export interface YamlDocument {
  readonly source: SourceText;
  /** A key such as `__proto__` is an own property like any other. What aliases name is shared, not copied. */
  readonly value: Json;
  /**
   * Where a key or a value is written. A list or a map is its first line, an item of a list has no key and gives its value; a path
   * that leads nowhere gives the nearest owner that is there.
   */
  rangeOf(path: Path, what: 'key' | 'value'): Range;
  /**
   * The offset in the file of a character of a text value: exact in plain, quoted and block text, escapes and folded lines included.
   * The place right behind the last character is allowed.
   */
  offsetIn(path: Path, valueOffset: number): number;
  /** The whole of a value, block text and collections included, and of its key if it has one; for fixes that take it away. */
  extentOf(path: Path): Range;
  readonly suppressions: readonly Suppression[];
}

/** A comment `# relavium-ignore[code, …]: reason`. */
export interface Suppression {
  /** Empty if the comment is not of that form. */
  readonly codes: readonly string[];
  /** The comment itself. */
  readonly range: Range;
  /** The first line below that holds more than a comment. */
  readonly target: Range;
}
