import type { Span } from './span.js';

/** Private keys in PEM armour, from the first line to the last; to the end of the text where the last line is missing. */
export function pemBlocks(text: string): Span[] {
  const spans: Span[] = [];
  let start = text.indexOf(BEGIN);
  while (start >= 0) {
    const after = start + BEGIN.length;
    if (!/^ ?(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/u.test(text.slice(after, after + 80))) {
      start = text.indexOf(BEGIN, after);
      continue;
    }
    const endLine = text.indexOf('-----END', after);
    const dashes = endLine < 0 ? -1 : text.indexOf('-----', endLine + 8);
    const end = endLine < 0 || dashes < 0 ? text.length : dashes + 5;
    spans.push({ start, end });
    start = text.indexOf(BEGIN, end);
  }
  return spans;
}

const BEGIN = '-----BEGIN';
