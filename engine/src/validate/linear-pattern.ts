import { RE2JS } from 're2js';

/** The part of a `RegExp` that validators use. */
export interface LinearPattern {
  test(text: string): boolean;
  /** The pattern itself: a validator tells its patterns apart by it. */
  toString(): string;
}

/**
 * An author's regular expression in an engine whose time is linear in the text, so that no pattern can stall a run. Throws on a
 * pattern that the engine does not know (look-around, back-references).
 */
export function linearPattern(pattern: string): LinearPattern {
  // Escapes such as \u00e9 are those of JavaScript, which JSON Schema speaks, and not of the engine.
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
}
