import type { Span } from './span.js';

/** A set of ASCII characters, as a table by code. */
export type Alphabet = readonly boolean[];

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

export const LETTER: Alphabet = alphabet(LETTERS);
export const ALPHANUMERIC: Alphabet = alphabet(LETTERS + DIGITS);
export const UPPER_ALPHANUMERIC: Alphabet = alphabet(LETTERS.slice(0, 26) + DIGITS);
export const HEXADECIMAL: Alphabet = alphabet(`${DIGITS}abcdefABCDEF`);
export const URL_SAFE: Alphabet = alphabet(`${LETTERS + DIGITS}_-`);
export const DOTTED: Alphabet = alphabet(`${LETTERS + DIGITS}_-.`);
/** Base64 in both spellings, percent-encoding and what opaque tokens are made of. */
export const TOKEN: Alphabet = alphabet(`${LETTERS + DIGITS}_-.~+/=%`);

const DIGIT_OR_UPPER: Alphabet = UPPER_ALPHANUMERIC;
/** A line break of an indented continuation is short; a longer one separates texts. */
const MAX_BREAK = 64;
/** Where no digit and no capital has come by then, the text is a word with hyphens. */
const PROSE_AFTER = 256;

export interface Run extends Span {
  /** Characters of the alphabet, line breaks left out. */
  readonly count: number;
  readonly hasDigitOrUpper: boolean;
  readonly hasDot: boolean;
  /** Where its last line begins: another credential may begin there that this run has only touched. */
  readonly lastLine: number;
}

/** The run of an alphabet from `start` on; line feeds and tabs inside it belong to it, since wrapping splits a token that way. */
export function runOf(text: string, start: number, characters: Alphabet): Run {
  let end = start;
  let count = 0;
  let hasDigitOrUpper = false;
  let hasDot = false;
  let lastLine = start;
  for (let index = start; index < text.length; ) {
    const code = text.charCodeAt(index);
    if (characters[code] === true) {
      hasDigitOrUpper ||= DIGIT_OR_UPPER[code] === true;
      hasDot ||= code === 0x2e;
      end = ++index;
      if (++count > PROSE_AFTER && !hasDigitOrUpper) break;
      continue;
    }
    if (!isBreak(code)) break;
    const next = afterBreak(text, index);
    if (characters[text.charCodeAt(next)] !== true) break;
    index = next;
    lastLine = next;
  }
  return { start, end, count, hasDigitOrUpper, hasDot, lastLine };
}

function afterBreak(text: string, start: number): number {
  let index = start;
  while (index - start < MAX_BREAK && isBreak(text.charCodeAt(index))) index++;
  return index;
}

function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x09;
}

function alphabet(characters: string): Alphabet {
  const table = new Array<boolean>(128).fill(false);
  for (const character of characters) table[character.charCodeAt(0)] = true;
  return table;
}
