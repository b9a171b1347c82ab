import type { Span } from './span.js';

/** The part between `//` and `@` of a URL. Host and path stay. */
export function urlUserinfo(text: string): Span[] {
  const spans: Span[] = [];
  let runEnd = 0;
  let lastAt = -1;
  for (let scheme = text.indexOf('://'); scheme >= 0; scheme = text.indexOf('://', scheme + 3)) {
    const start = scheme + 3;
    if (start >= runEnd) {
      runEnd = endOfRun(text, start);
      lastAt = text.slice(start, runEnd).lastIndexOf('@') + start;
    }
    if (lastAt < start) continue;
    const end = userinfoEnd(text.slice(start, runEnd), lastAt - start);
    if (end > 0) spans.push({ start, end: start + end });
  }
  return spans;
}

/** Offset of the `@` that ends the userinfo, or 0. */
function userinfoEnd(rest: string, lastAt: number): number {
  const authority = rest.search(/[/?#\\]/u);
  const inAuthority = (authority < 0 ? rest : rest.slice(0, authority)).lastIndexOf('@');
  if (inAuthority >= 0) return inAuthority;
  // A password with a slash that nobody encoded: what stands after the colon is no port, so the authority cannot have ended there.
  return /^[^/?#@:]+:(?![0-9]{1,5}(?:[/?#]|$))[^/?#@]+[/?#]/u.test(rest) ? lastAt : 0;
}

function endOfRun(text: string, start: number): number {
  const ends = /[\s"'`<>()]/gu;
  ends.lastIndex = start;
  return ends.exec(text)?.index ?? text.length;
}
