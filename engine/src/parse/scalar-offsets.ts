import type { CST, Scalar } from 'yaml';

/**
 * For each UTF-16 unit of a text value the offset in the file from which it came, and at the end the offset behind it; `undefined`
 * where the value is not the text of its token. Each way of writing is read once more, and only trusted if it gives the same value.
 */
export function scalarOffsets(scalar: Scalar, text: string): readonly number[] | undefined {
  const token = scalar.srcToken as CST.Token | undefined;
  const value = typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? '');
  if (token === undefined) return undefined;
  switch (token.type) {
    case 'scalar':
      return aligned(text, value, token.offset, token.offset + token.source.length, 'plain');
    case 'single-quoted-scalar':
      return aligned(text, value, token.offset + 1, token.offset + token.source.length - 1, 'single');
    case 'double-quoted-scalar':
      return aligned(text, value, token.offset + 1, token.offset + token.source.length - 1, 'double');
    case 'block-scalar':
      return blockOffsets(token, text, value);
    default:
      return undefined;
  }
}

type Style = 'plain' | 'single' | 'double';

/** Flow text: white space around a line break is one space, each further line break is itself. */
function aligned(text: string, value: string, start: number, end: number, style: Style): readonly number[] | undefined {
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
      const escape = escapeAt(text, at, end);
      for (let units = escape.units; units > 0; units -= 1) offsets.push(at);
      at = escape.end;
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
  while (next < end && /[ \t\r\n]/.test(text[next] as string)) {
    if (text[next] === '\n') breaks += 1;
    next += 1;
  }
  return breaks === 0 ? undefined : { breaks, end: next };
}

function escapeAt(text: string, at: number, end: number): { units: number; end: number } {
  const next = text[at + 1];
  if (next === '\n' || next === '\r') {
    let after = at + 1;
    while (after < end && /[ \t\r\n]/.test(text[after] as string)) after += 1;
    return { units: 0, end: after };
  }
  const digits = next === 'x' ? 2 : next === 'u' ? 4 : next === 'U' ? 8 : 0;
  if (digits === 0) return { units: 1, end: at + 2 };
  const code = Number.parseInt(text.slice(at + 2, at + 2 + digits), 16);
  return { units: code > 0xffff ? 2 : 1, end: at + 2 + digits };
}

/**
 * Block text: the indentation of each line is left out; what else differs are line breaks, which folding turns into a space, adds or
 * drops. So value and text are walked side by side and only break characters may be unlike.
 */
function blockOffsets(token: CST.BlockScalar, text: string, value: string): readonly number[] | undefined {
  const header = token.props.find((part) => part.type === 'block-scalar-header');
  if (header === undefined) return undefined;
  const end = contentStart(token) + token.source.length;
  const indent = indentOf(token, (header as CST.SourceToken).source);
  const offsets: number[] = [];
  let at = skipIndent(text, contentStart(token), end, indent);
  for (const unit of value) {
    for (let part = 0; part < unit.length; part += 1) {
      const wanted = unit[part] as string;
      if (wanted === '\n' || wanted === ' ') {
        if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
        while (wanted === ' ' && text[at] === '\n' && text[at + 1] === '\n') at = skipIndent(text, at + 1, end, indent);
      } else if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n')) {
        while (at < end && /[\r\n]/.test(text[at] as string)) at = text[at] === '\n' ? skipIndent(text, at + 1, end, indent) : at + 1;
      }
      offsets.push(at);
      if (text[at] === '\n') at = skipIndent(text, at + 1, end, indent);
      else if (at < end && text[at] === wanted) at += 1;
      else if (at < end) return undefined;
    }
  }
  offsets.push(Math.min(at, end));
  return offsets;
}

function contentStart(token: CST.BlockScalar): number {
  return token.props.reduce((sum, part) => sum + ('source' in part ? part.source.length : 0), token.offset);
}

function indentOf(token: CST.BlockScalar, header: string): number {
  const given = /[1-9]/.exec(header)?.[0];
  if (given !== undefined) return Math.max(0, token.indent + Number(given));
  const first = token.source.split('\n').find((line) => line.trim() !== '');
  return first === undefined ? 0 : first.length - first.trimStart().length;
}

function skipIndent(text: string, at: number, end: number, indent: number): number {
  let next = at;
  while (next < end && next - at < indent && text[next] === ' ') next += 1;
  return next;
}
