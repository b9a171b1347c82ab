import { isHighSurrogate, isLowSurrogate, utf8Length } from '../text/utf8-length.js';

/** Ceilings of a model's copy; above either one it becomes a preview. */
export const MODEL_COPY_BYTES = 51_200;
const MODEL_COPY_LINES = 2_000;

export type ModelCopy =
  | { readonly kind: 'whole'; readonly text: string }
  /** Beginning and end; the marker between them names what is left out. */
  | { readonly kind: 'preview'; readonly text: string };

/** What a model is handed of a result. The run's own value is never cut. `spilledTo` is where the model can read the whole. */
export function boundResult(text: string, spilledTo?: string): ModelCopy {
  if (fits(text)) return { kind: 'whole', text };
  const head = headOf(text, MODEL_COPY_BYTES / 2, MODEL_COPY_LINES / 2);
  const tail = tailOf(text, MODEL_COPY_BYTES / 2 - MARKER_BYTES - utf8Length(spilledTo ?? ''), MODEL_COPY_LINES / 2 - MARKER_LINES);
  const left = text.slice(head.length, text.length - tail.length);
  const where = spilledTo === undefined ? '' : `; read_file has the whole in ${spilledTo}`;
  return { kind: 'preview', text: `${head}\n[left out here: ${utf8Length(left)} bytes, ${linesIn(left)} line breaks${where}]\n${tail}` };
}

export function fits(text: string): boolean {
  return text.length <= MODEL_COPY_BYTES && utf8Length(text) <= MODEL_COPY_BYTES && linesIn(text) < MODEL_COPY_LINES;
}

const MARKER_BYTES = 160;
const MARKER_LINES = 2;

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function headOf(text: string, maxBytes: number, maxLines: number): string {
  let bytes = 0;
  let lines = 0;
  let end = 0;
  while (end < text.length) {
    const width = isPair(text, end) ? 2 : 1;
    const size = utf8Length(text.slice(end, end + width));
    const isBreak = text[end] === '\n';
    if (bytes + size > maxBytes || (isBreak && lines + 1 >= maxLines)) break;
    bytes += size;
    if (isBreak) lines++;
    end += width;
  }
  return text.slice(0, end);
}

function tailOf(text: string, maxBytes: number, maxLines: number): string {
  let bytes = 0;
  let lines = 0;
  let start = text.length;
  while (start > 0) {
    const width = start > 1 && isPair(text, start - 2) ? 2 : 1;
    const size = utf8Length(text.slice(start - width, start));
    const isBreak = text[start - 1] === '\n';
    if (bytes + size > maxBytes || (isBreak && lines + 1 >= maxLines)) break;
    bytes += size;
    if (isBreak) lines++;
    start -= width;
  }
  return text.slice(start);
}

function isPair(text: string, index: number): boolean {
  return isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1));
}
