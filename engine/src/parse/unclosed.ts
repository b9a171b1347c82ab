import type { CST } from 'yaml';

/** Offset of the quote that is never closed, or of the innermost bracket that is not. */
export function unclosedAt(tokens: readonly CST.Token[], kind: 'quote' | 'bracket'): number | undefined {
  let found: number | undefined;
  const stack: (CST.Token | null | undefined)[] = tokens.map((token) => (token.type === 'document' ? token.value : undefined));
  while (stack.length > 0) {
    const token = stack.pop();
    if (token === undefined || token === null) continue;
    if (isUnclosed(token, kind) && (found === undefined || (kind === 'quote' ? token.offset < found : token.offset > found)))
      found = token.offset;
    if ('items' in token) for (const item of token.items) stack.push(item.key, item.value);
  }
  return found;
}

function isUnclosed(token: CST.Token, kind: 'quote' | 'bracket'): boolean {
  if (kind === 'quote') {
    if (token.type !== 'single-quoted-scalar' && token.type !== 'double-quoted-scalar') return false;
    return token.source.length < 2 || token.source[0] !== token.source.at(-1);
  }
  if (token.type !== 'flow-collection') return false;
  const closing = token.start.source === '{' ? '}' : ']';
  return token.end[0]?.source !== closing;
}
