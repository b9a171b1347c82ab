import { type TokenType, tokenizer, tokTypes } from 'acorn';
import type { SyntaxProblem } from '../expression/syntax.js';

export type SplitHole =
  | {
      /** The head and after it the filters, without the bars between them. */
      readonly parts: readonly [Span, ...Span[]];
      /** Behind `}}`. */
      readonly end: number;
    }
  | { readonly error: SyntaxProblem };

export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds where the hole that opens at `open` ends, and the bars at its top level. Reads JavaScript tokens, so that braces and bars in
 * texts, regular expressions and nested braces are what they are.
 */
export function splitHole(text: string, open: number): SplitHole {
  // The tokens are read from a window that doubles, so that a text with many holes is not copied once a hole.
  for (let size = 256; ; size *= 2) {
    const isWhole = open + size >= text.length;
    const split = splitWindow(text.slice(open, open + size), isWhole);
    if (split !== undefined) return moved(split, open);
  }
}

/** A parenthesis in place of the braces tells the tokenizer that an expression begins. */
const BEFORE = '(';
/** Positions in the tokens, less this, are positions in the window. */
const SHIFT = BEFORE.length - '{{'.length;

const OPENING: ReadonlySet<TokenType> = new Set([tokTypes.parenL, tokTypes.bracketL, tokTypes.braceL, tokTypes.dollarBraceL]);
const CLOSING: ReadonlySet<TokenType> = new Set([tokTypes.parenR, tokTypes.bracketR, tokTypes.braceR]);

/** Nothing when the window ends before the hole does. */
function splitWindow(window: string, isWhole: boolean): SplitHole | undefined {
  const source = BEFORE + window.slice('{{'.length);
  const parts: Span[] = [];
  let start = '{{'.length;
  let depth = -1;
  try {
    const tokens = tokenizer(source, { ecmaVersion: 2024, allowHashBang: false });
    for (;;) {
      const token = tokens.getToken();
      const at = token.start - SHIFT;
      if (token.type === tokTypes.eof) {
        return isWhole ? { error: { message: 'this `{{` has no `}}`', start: 0, end: '{{'.length } } : undefined;
      }
      if (OPENING.has(token.type)) {
        depth++;
      } else if (CLOSING.has(token.type) && depth > 0) {
        depth--;
      } else if (CLOSING.has(token.type)) {
        if (token.type === tokTypes.braceR && window[at + 1] === '}')
          return { parts: asParts([...parts, { start, end: at }]), end: at + 2 };
        // A brace at the edge of the window may be the first of two.
        if (!isWhole && at + 1 >= window.length) return undefined;
        const found = window[at] as string;
        return { error: { message: `this \`${found}\` closes nothing; a hole ends with \`}}\``, start: at, end: at + 1 } };
      } else if (token.type === tokTypes.bitwiseOR && token.end - token.start === 1 && depth === 0) {
        parts.push({ start, end: at });
        start = at + 1;
      }
    }
  } catch (error) {
    const raised = error as { readonly pos?: unknown; readonly message: string };
    if (!(error instanceof SyntaxError) || typeof raised.pos !== 'number') throw error;
    if (!isWhole) return undefined;
    const at = raised.pos - SHIFT;
    const message = raised.message.replace(/ \(\d+:\d+\)$/, '');
    return { error: { message: message.charAt(0).toLowerCase() + message.slice(1), start: at, end: Math.min(at + 1, window.length) } };
  }
}

function asParts(parts: readonly Span[]): readonly [Span, ...Span[]] {
  return parts as readonly [Span, ...Span[]];
}

function moved(split: SplitHole, by: number): SplitHole {
  const move = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  if ('error' in split) return { error: { ...split.error, ...move(split.error) } };
  return { parts: asParts(split.parts.map(move)), end: split.end + by };
}
