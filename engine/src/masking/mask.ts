import { authSchemes } from './auth-schemes.js';
import { labelledValues } from './labelled-values.js';
import { MASKED } from './masked.js';
import { pemBlocks } from './pem-blocks.js';
import type { Recogniser } from './span.js';
import { tokenFamilies } from './token-families.js';
import { urlUserinfo } from './url-userinfo.js';

/**
 * The text with every credential of a known shape replaced. A diagnostic aid, not a proof that nothing sensitive is left. The time is
 * linear in the length.
 */
export function mask(text: string): string {
  const spans = RECOGNISERS.flatMap((recognise) => recognise(text));
  if (spans.length === 0) return text;
  spans.sort((one, other) => one.start - other.start);
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of spans) {
    if (end <= done) continue;
    if (start > done || done === 0) pieces.push(text.slice(done, Math.max(start, done)), MASKED);
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

const RECOGNISERS: readonly Recogniser[] = [tokenFamilies, labelledValues, authSchemes, urlUserinfo, pemBlocks];
