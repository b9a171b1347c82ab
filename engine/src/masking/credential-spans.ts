import { authSchemes } from './auth-schemes.js';
import { labelledValues } from './labelled-values.js';
import { pemBlocks } from './pem-blocks.js';
import type { Recogniser, Span } from './span.js';
import { tokenFamilies } from './token-families.js';
import { urlUserinfo } from './url-userinfo.js';

/** Where credentials of a known shape are, in order; those that overlap or touch are joined. The time is linear in the length. */
export function credentialSpans(text: string): readonly Span[] {
  let spans: Span[] = NONE;
  for (const recognise of RECOGNISERS) {
    const found = recognise(text);
    if (found.length > 0) spans = spans.length === 0 ? found : [...spans, ...found];
  }
  if (spans.length < 2) return spans;
  spans.sort((one, other) => one.start - other.start);
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

const NONE: Span[] = [];

const RECOGNISERS: readonly Recogniser[] = [tokenFamilies, labelledValues, authSchemes, urlUserinfo, pemBlocks];
