import { credentialSpans } from './credential-spans.js';
import { replaceSpans } from './replace-spans.js';

/** `pwd=x` */
const SHORTEST = 5;

/**
 * The text with every credential of a known shape replaced. A diagnostic aid, not a proof that nothing sensitive is left. The time is
 * linear in the length.
 */
export function mask(text: string): string {
  if (text.length < SHORTEST) return text;
  return replaceSpans(text, credentialSpans(text));
}
