import { runOf, TOKEN } from './alphabet.js';
import type { Span } from './span.js';

/** What follows the name of an authentication scheme in running text, where it looks like a credential and not like the next word. */
export function authSchemes(text: string): Span[] {
  const spans: Span[] = [];
  SCHEMES.lastIndex = 0;
  for (let hit = SCHEMES.exec(text); hit !== null; hit = SCHEMES.exec(text)) {
    const start = hit.index + hit[0].length;
    // By its beginning first: what goes on over many lines is gone through only where it is taken.
    const beginning = runOf(text.slice(start, start + BEGINNING), 0, TOKEN);
    if (beginning.count < 12 || !looksOpaque(text.slice(start, start + Math.min(beginning.end, BEGINNING)))) continue;
    const run = runOf(text, start, TOKEN);
    if (run.hasDigitOrUpper) {
      spans.push({ start: run.start, end: run.end });
      SCHEMES.lastIndex = run.lastLine > run.start ? run.lastLine : run.end;
    }
  }
  return spans;
}

const SCHEMES = /(?<![A-Za-z0-9])(?:[Bb]earer|BEARER|[Bb]asic|BASIC|[Tt]oken|TOKEN|[Nn]egotiate|NTLM|[Aa]pi[Kk]ey)[ \t]+/gu;

const BEGINNING = 64;

/** Has a digit, padding, or a capital that does not begin a word. */
function looksOpaque(text: string): boolean {
  return /[0-9=]|[a-z][A-Z]/u.test(text);
}
