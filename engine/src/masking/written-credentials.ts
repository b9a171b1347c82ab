import { pemBlocks } from './pem-blocks.js';
import type { Span } from './span.js';
import { tokenFamilies } from './token-families.js';
import { urlUserinfo } from './url-userinfo.js';

/**
 * Credentials that stand in a file which people write: tokens, private keys, passwords in addresses. Only shapes that nothing else has:
 * a name such as `token:` proves nothing where names of secrets and templates stand behind it.
 */
export function writtenCredentials(text: string): readonly Span[] {
  const users = urlUserinfo(text).filter(({ start, end }) => /^[^{}$<>]*:[^{}$<>]+$/u.test(text.slice(start, end)));
  return [...tokens(text), ...users, ...pemBlocks(text)];
}

/** A token may be wrapped, so what begins the next line is taken for a part of it; behind one that is whole on its line it is the next key. */
function tokens(text: string): readonly Span[] {
  const found = tokenFamilies(text);
  if (found.length === 0) return found;
  const onLines: Span[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    for (const { start, end } of tokenFamilies(line)) onLines.push({ start: offset + start, end: offset + end });
    offset += line.length + 1;
  }
  const begun = new Set(onLines.map(({ start }) => start));
  return [...onLines, ...found.filter(({ start }) => !begun.has(start))];
}

/** The text in its length and lines, each character of such a credential an asterisk, so that positions still hold. */
export function coverCredentials(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of [...writtenCredentials(text)].sort((one, other) => one.start - other.start)) {
    if (end <= done) continue;
    pieces.push(text.slice(done, Math.max(start, done)), text.slice(Math.max(start, done), end).replaceAll(/[^\r\n]/g, '*'));
    done = end;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}
