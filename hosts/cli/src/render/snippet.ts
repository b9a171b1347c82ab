import { positionAt, type Range, type SourceText, showControls } from '@relavium/engine';
import type { Paint } from './paint.js';
import { lineIndexOf, shownTextOf } from './source-position.js';
import { textWidth } from './text-width.js';

/**
 * The line of a source with a range underlined, one line above it for context, and line numbers:
 *
 * ```
 *    11 │     - id: build
 *    12 │       typ: transform
 *       │       ^^^
 * ```
 *
 * A range over several lines is underlined to the end of its first one. Long lines are cut around the range. Credentials are covered.
 */
export function snippet(source: SourceText, range: Range, paint: Paint, columns: number | undefined): readonly string[] {
  const index = lineIndexOf(source);
  const { line, column } = positionAt(index, range.start);
  const shown = shownTextOf(source);
  const lineAt = (number: number): string => shown.slice(index[number - 1] ?? 0, index[number] ?? shown.length).replace(/\r?\n$/, '');
  const numberWidth = Math.max(4, String(line).length);
  const gutter = (number: string): string => `${paint.dim(`${number.padStart(numberWidth)} │`)} `;
  const room = (columns ?? 160) - numberWidth - 4;
  const text = lineAt(line);
  const last = positionAt(index, range.end);
  const end = last.line === line ? Math.max(last.column - 1, column) : text.length;
  const { before, marked, after } = windowed(text.slice(0, column - 1), text.slice(column - 1, end), text.slice(end), room);
  const lines: string[] = [];
  const above = line > 1 ? lineAt(line - 1) : '';
  if (above.trim() !== '' && above.length <= 300 && textWidth(printable(above)) <= room) {
    lines.push(`${gutter(String(line - 1))}${paint.dim(printable(above))}`.trimEnd());
  }
  lines.push(`${gutter(String(line))}${before}${marked}${after}`.trimEnd());
  lines.push(`${gutter('')}${' '.repeat(textWidth(before))}${paint.red('^'.repeat(Math.max(1, textWidth(marked))))}`);
  return lines;
}

/** Tabs as two spaces, other control characters visible: what is left has the width that `textWidth` gives. */
function printable(text: string): string {
  return showControls(text.replaceAll('\t', '  '));
}

interface Marked {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** Cuts a long line so that the start of the range stays in sight. */
function windowed(before: string, marked: string, after: string, columns: number): Marked {
  const room = Math.max(columns, 20);
  const whole: Marked = { before: printable(before), marked: printable(marked), after: printable(after) };
  if (textWidth(whole.before) + textWidth(whole.marked) + textWidth(whole.after) <= room) return whole;
  const lead = Math.floor(room / 2);
  const shortBefore = textWidth(whole.before) > lead ? `…${printable(before.slice(-lead + 1))}` : whole.before;
  const markedRoom = Math.max(4, room - textWidth(shortBefore) - 1);
  const shortMarked = cut(printable(marked.slice(0, markedRoom)), markedRoom, marked.length > markedRoom);
  const afterRoom = Math.max(0, room - textWidth(shortBefore) - textWidth(shortMarked));
  return {
    before: shortBefore,
    marked: shortMarked,
    after: cut(printable(after.slice(0, afterRoom)), afterRoom, after.length > afterRoom),
  };
}

function cut(text: string, columns: number, more: boolean): string {
  let kept = text;
  while (kept !== '' && textWidth(kept) > columns - (more ? 1 : 0)) kept = kept.slice(0, -1);
  return more && columns > 0 ? `${kept}…` : kept;
}
