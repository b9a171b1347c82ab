import type { CST } from 'yaml';

interface Pending {
  readonly token: CST.Token;
  readonly depth: number;
}

/** Offset of the first collection that lies deeper than the limit. A loop with a stack of its own: the input may be all brackets. */
export function tooDeepAt(tokens: readonly CST.Token[], limit: number): number | undefined {
  const stack: Pending[] = [];
  for (const token of tokens) if (token.type === 'document' && token.value !== undefined) stack.push({ token: token.value, depth: 1 });
  let found: number | undefined;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { token, depth } = next;
    if (!('items' in token)) continue;
    if (depth > limit) {
      if (found === undefined || token.offset < found) found = token.offset;
      continue;
    }
    for (const item of token.items) {
      if (isCollection(item.key)) stack.push({ token: item.key, depth: depth + 1 });
      if (isCollection(item.value)) stack.push({ token: item.value, depth: depth + 1 });
    }
  }
  return found;
}

function isCollection(token: CST.Token | null | undefined): token is CST.BlockMap | CST.BlockSequence | CST.FlowCollection {
  return token !== undefined && token !== null && 'items' in token;
}
