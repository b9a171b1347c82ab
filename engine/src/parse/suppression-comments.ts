import type { CST } from 'yaml';
import type { Range, SourceText } from '../source/source-text.js';
import type { Suppression } from './yaml-document.js';

const WORD = 'relavium-ignore';

/** Comments that suppress a finding. Only real comments count: the same words in block text are text. */
export function suppressionComments(source: SourceText, tokens: readonly CST.Token[]): readonly Suppression[] {
  if (!source.text.includes(WORD)) return [];
  return comments(tokens)
    .filter((comment) => comment.source.includes(WORD))
    .map((comment) => suppression(source.text, comment))
    .sort((a, b) => a.range.start - b.range.start);
}

function suppression(text: string, comment: CST.SourceToken): Suppression {
  const match = /^#\s*relavium-ignore\[([\w\s,]+)\]:\s*\S/.exec(comment.source);
  const codes = (match?.[1] ?? '').split(',').map((code) => code.trim());
  return {
    codes: codes.filter((code) => code !== ''),
    range: { start: comment.offset, end: comment.offset + comment.source.trimEnd().length },
    target: lineBelow(text, comment.offset),
  };
}

/** Several suppressions may stand above one line. */
function lineBelow(text: string, offset: number): Range {
  let start = text.indexOf('\n', offset) + 1;
  while (start > 0 && start < text.length) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    const line = text.slice(start, end).trim();
    if (line !== '' && !line.startsWith('#')) return { start, end };
    start = next + 1;
  }
  return { start: text.length, end: text.length };
}

function comments(tokens: readonly CST.Token[]): CST.SourceToken[] {
  const found: CST.SourceToken[] = [];
  const stack: unknown[] = [...tokens];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if ((next as CST.SourceToken).type === 'comment') found.push(next as CST.SourceToken);
    else for (const part of Object.values(next)) if (typeof part === 'object' && part !== null) stack.push(part);
  }
  return found;
}
