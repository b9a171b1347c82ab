import { isHighSurrogate } from '../text/utf8-length.js';

/** The beginning of a text, at most `limit` UTF-16 units with the ellipsis; masking comes first, so that no cut hides half a credential. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = isHighSurrogate(text.charCodeAt(limit - 2)) ? limit - 2 : limit - 1;
  return `${text.slice(0, Math.max(end, 0))}…`;
}
