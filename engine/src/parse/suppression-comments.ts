import type { CST } from 'yaml';
import type { Range, SourceText } from '../source/source-text.js';
import type { Suppression } from './yaml-document.js';

const WORD = 'relavium-ignore';

/** Comments that suppress a finding. Only real comments count: the same words in block text are text. */
export function suppressionComments(source: SourceText, tokens: () => readonly CST.Token[]): readonly Suppression[] {
  if (!source.text.includes(WORD)) return [];
  const found = comments(tokens())
    .filter((comment) => comment.source.includes(WORD))
    .sort((a, b) => a.offset - b.offset);
  // From below, so that a pile of comments looks at the line under it once.
  let below: Range | undefined;
  let isAbove = source.text.length;
  const made = found.reverse().map((comment) => {
    const end = comment.offset + comment.source.length;
    const onlyComments = source.text
      .slice(end, isAbove)
      .split('\n')
      .every((line) => line.trim() === '' || line.trim().startsWith('#'));
    below = below !== undefined && onlyComments ? below : lineBelow(source.text, comment.offset);
    isAbove = comment.offset;
    return suppression(comment, below);
  });
  return made.reverse();
}

function suppression(comment: CST.SourceToken, target: Range): Suppression {
  const match = /^#\s*relavium-ignore\[([\w\s,]+)\]:\s*\S/.exec(comment.source);
  const codes = (match?.[1] ?? '').split(',').map((code) => code.trim());
  return {
    codes: codes.filter((code) => code !== ''),
    range: { start: comment.offset, end: comment.offset + comment.source.trimEnd().length },
    target,
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
