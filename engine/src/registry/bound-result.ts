import type { Json } from '../json.js';
import { isHighSurrogate, isLowSurrogate, utf8Length } from '../text/utf8-length.js';

/** Ceilings of a model's copy; above either one it becomes a preview. */
export const MODEL_COPY_BYTES = 51_200;
const MODEL_COPY_LINES = 2_000;

/** What a model is handed of a result: all of it, or a preview of what is too large. The run's own value is never cut. */
export type CopyForModel =
  | { readonly kind: 'whole'; readonly text: string }
  | {
      readonly kind: 'large';
      /** What is cut, for whoever keeps it: text with its own lines where it can be. */
      readonly whole: string;
      /** `keptIn` is where the model can read `whole`; undefined: nowhere. */
      preview(keptIn: string | undefined): string;
    };

export function copyForModel(result: Json): CopyForModel {
  if (typeof result === 'string') return fits(result) ? { kind: 'whole', text: result } : largeText(result);
  const text = JSON.stringify(result);
  const largest = largestText(result, []);
  if (largest === undefined || (fits(text) && fits(largest.text))) return fits(text) ? { kind: 'whole', text } : largeText(inLines(result));
  if (largest.text.length * 2 < text.length && fits(largest.text)) return largeText(inLines(result));
  return { kind: 'large', whole: largest.text, preview: (keptIn) => previewWith(result, largest, keptIn) };
}

function largeText(whole: string): CopyForModel {
  return { kind: 'large', whole, preview: (keptIn) => boundResult(whole, keptIn).text };
}

/** A list of a thousand entries can be read line by line then. */
function inLines(result: Json): string {
  return JSON.stringify(result, undefined, 1);
}

interface Placed {
  readonly text: string;
  readonly path: readonly (string | number)[];
}

/** Results are no deeper than values may be, so recursion is safe. */
function largestText(value: Json, path: Placed['path']): Placed | undefined {
  if (typeof value === 'string') return { text: value, path };
  if (typeof value !== 'object' || value === null) return undefined;
  let largest: Placed | undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = largestText(item, [...path, key]);
    if (found !== undefined && found.text.length > (largest?.text.length ?? -1)) largest = found;
  }
  return largest;
}

/** The result with its largest text cut so far that all of it fits. */
function previewWith(result: Json, { text, path }: Placed, keptIn: string | undefined): string {
  // As JSON a text can be six times as long, and there may be other texts beside it.
  for (let bytes = MODEL_COPY_BYTES - 1_024; bytes > 1_024; bytes = Math.floor(bytes * 0.7)) {
    const copy = JSON.stringify(replaced(result, path, boundResult(text, keptIn, bytes).text));
    if (fits(copy)) return copy;
  }
  return boundResult(inLines(result), keptIn).text;
}

function replaced(value: Json, [key, ...rest]: Placed['path'], text: string): Json {
  if (key === undefined) return text;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === String(key) ? replaced(item, rest, text) : item));
  const entries = Object.entries(value as { readonly [name: string]: Json });
  return Object.fromEntries(entries.map(([name, item]) => [name, name === key ? replaced(item, rest, text) : item]));
}

export type ModelCopy =
  | { readonly kind: 'whole'; readonly text: string }
  /** Beginning and end; the marker between them names what is left out. */
  | { readonly kind: 'preview'; readonly text: string };

/** A text within the ceilings. `spilledTo` is where the whole can be read. */
export function boundResult(text: string, spilledTo?: string, maxBytes: number = MODEL_COPY_BYTES): ModelCopy {
  if (fits(text) && (maxBytes === MODEL_COPY_BYTES || utf8Length(text) <= maxBytes)) return { kind: 'whole', text };
  const head = headOf(text, maxBytes / 2, MODEL_COPY_LINES / 2);
  const tail = tailOf(text, maxBytes / 2 - MARKER_BYTES - utf8Length(spilledTo ?? ''), MODEL_COPY_LINES / 2 - MARKER_LINES);
  const left = text.slice(head.length, text.length - tail.length);
  const where = spilledTo === undefined ? '' : `; read_file has the whole in ${spilledTo}`;
  return { kind: 'preview', text: `${head}\n[left out here: ${utf8Length(left)} bytes, ${linesIn(left)} line breaks${where}]\n${tail}` };
}

function fits(text: string): boolean {
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
