import { MASKED } from './masked.js';
import type { Span } from './span.js';

/** The text with a mark in the place of each span. The spans are in order and do not overlap. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of spans) {
    pieces.push(text.slice(done, start), MASKED);
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}
