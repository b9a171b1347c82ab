import type { Json } from '../json.js';
import { MASKED } from './masked.js';
import { type NeedleSearch, needleSearch } from './needle-search.js';
import { replaceSpans } from './replace-spans.js';
import { secretForms } from './secret-forms.js';
import type { Span } from './span.js';
import type { TextStream } from './text-stream.js';

/**
 * The values of secrets that one run has read. They are replaced wherever they turn up, whatever they look like: in results, events,
 * errors, and output while it comes.
 */
export interface KnownSecrets {
  /** From now on the value and what is derived from it are replaced. Values shorter than 4 characters are left alone. */
  add(value: string): void;
  isEmpty(): boolean;
  redact(text: string): string;
  /** Keys and numbers included. The value itself comes back where it holds no secret. */
  redactJson(value: Json): Json;
  /** For text that comes in pieces: what may be the beginning of a secret is held back until it is known. */
  stream(receive: (text: string) => void): TextStream;
}

export function knownSecrets(): KnownSecrets {
  const values = new Set<string>();
  const forms = new Set<string>();
  let search: NeedleSearch | undefined;
  const current = (): NeedleSearch | undefined => {
    if (forms.size > 0) search ??= needleSearch(forms);
    return search;
  };
  let backwards: NeedleSearch | undefined;
  const redact = (text: string): string => {
    const found = current();
    if (found === undefined) return text;
    const spans = found.find(text);
    if (!text.includes(LEFT_OUT)) return replaceSpans(text, spans);
    backwards ??= needleSearch([...forms].map(reversed));
    return replaceSpans(
      text,
      [...spans, ...besideGaps(text, found, backwards)].sort((one, other) => one.start - other.start),
    );
  };
  return {
    add(value) {
      if (values.has(value)) return;
      values.add(value);
      for (const form of secretForms(value)) forms.add(form);
      search = undefined;
      backwards = undefined;
    },
    isEmpty: () => forms.size === 0,
    redact,
    redactJson: (value) => (current() === undefined ? value : redactedJson(value, redact)),
    stream: (receive) => redactedStream(current, receive),
  };
}

/** In the line that stands where something was left out of the middle of a long output. */
const LEFT_OUT = ' bytes left out here]';
const GAP = /\n\[\d+ bytes left out here\]\n/gu;
/** Shorter pieces are the beginnings and ends of ordinary words. */
const SHORTEST_PIECE = 6;

/** Pieces of secrets that were cut in two where something was left out. */
function besideGaps(text: string, forwards: NeedleSearch, backwards: NeedleSearch): Span[] {
  const spans: Span[] = [];
  let before = 0;
  for (const gap of text.matchAll(GAP)) {
    const after = gap.index + gap[0].length;
    const head = forwards.openEnd(text.slice(before, gap.index));
    const tail = backwards.openEnd(reversed(text.slice(after, after + MAX_PIECE)));
    if (head >= SHORTEST_PIECE) spans.push({ start: gap.index - head, end: gap.index });
    if (tail >= SHORTEST_PIECE) spans.push({ start: after, end: after + tail });
    before = after;
  }
  return spans;
}

const MAX_PIECE = 16_384;

function reversed(text: string): string {
  return text.split('').reverse().join('');
}

function redactedStream(current: () => NeedleSearch | undefined, receive: (text: string) => void): TextStream {
  let held = '';
  /** So much of the beginning of `held` belongs to a secret whose mark has been passed on. */
  let covered = 0;
  const passUpTo = (cut: number, search: NeedleSearch | undefined): void => {
    const spans = search?.find(held) ?? [];
    let passed = '';
    let done = covered;
    let beyond = Math.max(covered - cut, 0);
    for (const { start, end } of spans) {
      if (start >= cut) break;
      if (start >= covered) passed += held.slice(done, start) + MASKED;
      done = Math.max(done, end);
      beyond = Math.max(end - cut, beyond);
    }
    passed += held.slice(done, Math.max(done, cut));
    held = held.slice(cut);
    covered = beyond;
    if (passed !== '') receive(passed);
  };
  return {
    push(text) {
      held += text;
      const search = current();
      passUpTo(held.length - (search?.openEnd(held) ?? 0), search);
    },
    end: () => passUpTo(held.length, current()),
  };
}

/** Recursion is safe: values of a run are no deeper than what JSON text or a model's message may hold. */
function redactedJson(value: Json, redact: (text: string) => string): Json {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') {
    const text = String(value);
    return redact(text) === text ? value : MASKED;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactedJson(item, redact));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const before = Object.entries(value);
  const after = before.map(([key, item]) => [redact(key), redactedJson(item, redact)] as const);
  return after.some(([key, item], index) => key !== before[index]![0] || item !== before[index]![1]) ? Object.fromEntries(after) : value;
}
