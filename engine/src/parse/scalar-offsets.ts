import type { Scalar } from 'yaml';

/**
 * For each UTF-16 unit of a text value the offset in the file from which it came, and at the end the offset behind it; `undefined`
 * where the value is not what the file says at its range. The file is read once more here, and only trusted if it gives the same
 * value: keeping the tokens of each scalar would cost memory in every compilation, for positions that are hardly ever asked for.
 */
export function scalarOffsets(scalar: Scalar, text: string): readonly number[] | undefined {
  const value = typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? '');
  const [start, end] = scalar.range ?? [0, 0];
  switch (scalar.type) {
    case 'PLAIN':
      return flowOffsets(text, value, start, end, 'plain');
    case 'QUOTE_SINGLE':
      return flowOffsets(text, value, start + 1, end - 1, 'single');
    case 'QUOTE_DOUBLE':
      return flowOffsets(text, value, start + 1, end - 1, 'double');
    case 'BLOCK_LITERAL':
    case 'BLOCK_FOLDED':
      return blockOffsets(text, value, start, end);
    default:
      return undefined;
  }
}

type Style = 'plain' | 'single' | 'double';

/** Flow text: white space around a line break is one space, each further line break is itself. */
function flowOffsets(text: string, value: string, start: number, end: number, style: Style): readonly number[] | undefined {
  const offsets: number[] = [];
  let at = start;
  while (at < end && offsets.length < value.length) {
    const run = breakRun(text, at, end);
    if (run !== undefined) {
      for (let breaks = Math.max(1, run.breaks - 1); breaks > 0; breaks -= 1) offsets.push(at);
      at = run.end;
    } else if (style === 'single' && text[at] === "'") {
      offsets.push(at);
      at += 2;
    } else if (style === 'double' && text[at] === '\\') {
      const escaped = escapeAt(text, at, end);
      for (let units = escaped.units; units > 0; units -= 1) offsets.push(at);
      at = escaped.end;
    } else {
      offsets.push(at);
      at += 1;
    }
  }
  if (offsets.length !== value.length) return undefined;
  offsets.push(at);
  return offsets;
}

/** White space that holds at least one line break, from `at` on. */
function breakRun(text: string, at: number, end: number): { breaks: number; end: number } | undefined {
  let next = at;
  let breaks = 0;
  while (next < end && isBlank(text[next] as string)) {
    if (text[next] === '\n') breaks += 1;
    next += 1;
  }
  return breaks === 0 ? undefined : { breaks, end: next };
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r';
}

function escapeAt(text: string, at: number, end: number): { units: number; end: number } {
  const next = text[at + 1];
  if (next === '\n' || next === '\r') {
    let after = at + 1;
    while (after < end && isBlank(text[after] as string)) after += 1;
    return { units: 0, end: after };
  }
  const digits = next === 'x' ? 2 : next === 'u' ? 4 : next === 'U' ? 8 : 0;
  if (digits === 0) return { units: 1, end: at + 2 };
  const code = Number.parseInt(text.slice(at + 2, at + 2 + digits), 16);
  return { units: code > 0xffff ? 2 : 1, end: at + 2 + digits };
}

/**
 * Block text: the indentation of each line is left out; what else differs are line breaks, which folding turns into a space, adds or
 * drops. So value and file are walked side by side and only break characters may be unlike.
 */
function blockOffsets(text: string, value: string, start: number, end: number): readonly number[] | undefined {
  const headerEnd = text.indexOf('\n', start);
  if (headerEnd === -1 || headerEnd >= end) return undefined;
  const indent = indentOf(text.slice(headerEnd + 1, end), value);
  const offsets: number[] = [];
  let at = skipIndent(text, headerEnd + 1, end, indent);
  for (let index = 0; index < value.length; index += 1) {
    const wanted = value[index] as string;
    if (wanted === '\n' || wanted === ' ') {
      if (isCrlf(text, at)) at += 1;
      while (wanted === ' ' && text[at] === '\n' && text[at + 1] === '\n') at = skipIndent(text, at + 1, end, indent);
    } else {
      while (at < end && (text[at] === '\n' || isCrlf(text, at))) at = text[at] === '\n' ? skipIndent(text, at + 1, end, indent) : at + 1;
    }
    offsets.push(at);
    if (text[at] === '\n') at = skipIndent(text, at + 1, end, indent);
    else if (at < end && text[at] === wanted) at += 1;
    else if (at < end) return undefined;
  }
  offsets.push(Math.min(at, end));
  return offsets;
}

function isCrlf(text: string, at: number): boolean {
  return text[at] === '\r' && text[at + 1] === '\n';
}

/** What the first line with content has in the file and not in the value; that holds for a written indentation indicator too. */
function indentOf(block: string, value: string): number {
  const first = block.split('\n').find((line) => line.trim() !== '');
  if (first === undefined) return 0;
  const content = first.endsWith('\r') ? first.slice(0, -1) : first;
  const given = value.split('\n').find((line) => line.trim() !== '') ?? '';
  // A folded line goes on behind what this line holds.
  const spaces = content.length - content.trimStart().length;
  return Math.max(0, spaces - (given.length - given.trimStart().length));
}

function skipIndent(text: string, at: number, end: number, indent: number): number {
  let next = at;
  while (next < end && next - at < indent && text[next] === ' ') next += 1;
  return next;
}
