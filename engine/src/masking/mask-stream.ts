import { TOKEN } from './alphabet.js';
import { credentialSpans } from './credential-spans.js';
import { replaceSpans } from './replace-spans.js';
import type { Span } from './span.js';
import type { TextStream } from './text-stream.js';

/**
 * Masks text that comes in pieces, as `mask` would mask the whole. Whole lines are passed on as soon as it is known that no credential
 * goes on behind them: one that was wrapped, a private key and a quoted value with line breaks are held until they end.
 */
export function maskStream(receive: (text: string) => void): TextStream {
  let held = '';
  /** What was passed on last ended inside a credential that is longer than what may be held. */
  let isInside = false;

  const pass = (cut: number, spans: readonly Span[]): void => {
    const passed = replaceSpans(
      held.slice(0, cut),
      spans.filter(({ start }) => start < cut),
    );
    held = held.slice(cut);
    if (passed !== '') receive(passed);
  };
  return {
    push(text) {
      held += isInside ? afterCredential(text) : text;
      isInside &&= held === '';
      const lines = held.lastIndexOf('\n') + 1;
      if (lines === 0 && held.length <= MAX_HELD) return;
      const spans = credentialSpans(held);
      const cut = wholeLines(held, lines, spans);
      if (held.length - cut <= MAX_HELD) return pass(cut, spans);
      const last = spans.at(-1);
      const open = last?.end === held.length ? last.start : openFrom(held, held.length);
      const forced = open === undefined ? held.length : outside(spans, open - LABEL);
      if (held.length - forced <= MAX_HELD) return pass(forced, spans);
      pass(held.length, spans);
      isInside = open !== undefined;
    },
    end() {
      pass(held.length, credentialSpans(held));
    },
  };
}

/** A program that writes no line breaks, or a key without an end, is passed on in pieces of this size. */
const MAX_HELD = 16_384;
/** In front of a value: the longest name that is looked for, with quotes and blanks. */
const LABEL = 128;

/** What could stand behind a text: more of any token, and the end of a quoted value. */
const MORE = `${'A0'.repeat(40)}.A0\\""'\``;

/** Where the text can be cut, at the beginning of a line at most at `lines`, so that no credential lies on both sides. */
function wholeLines(text: string, lines: number, spans: readonly Span[]): number {
  const lineOf = (offset: number) => (offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1);
  const open = openFrom(text, lines);
  let cut = open === undefined ? lines : lineOf(open);
  for (let index = spans.length - 1; index >= 0; index--) {
    const { start, end } = spans[index]!;
    if (start < cut && cut < end) cut = lineOf(start);
  }
  return cut;
}

/** Where a credential begins that would go on behind `end`, were there more; only as far back as one is looked for. */
function openFrom(text: string, end: number): number | undefined {
  const from = Math.max(0, end - MAX_HELD);
  const tail = text.slice(from, end);
  const starts = [MORE, `  ${MORE}`].flatMap((more) => {
    const crossing = credentialSpans(tail + more).find((span) => span.start < tail.length && span.end > tail.length);
    return crossing === undefined ? [] : [crossing.start];
  });
  return starts.length === 0 ? undefined : from + Math.min(...starts);
}

/** The nearest place at or before an offset that is not inside a credential, nor between one and its name. */
function outside(spans: readonly Span[], offset: number): number {
  let place = offset;
  for (let index = spans.length - 1; index >= 0 && place > 0; index--) {
    const { start, end } = spans[index]!;
    if (start < place && place < end) place = start - LABEL;
  }
  return Math.max(place, 0);
}

/** What is left of a text when the rest of a token is taken from its beginning. */
function afterCredential(text: string): string {
  let index = 0;
  while (index < text.length && (TOKEN[text.charCodeAt(index)] === true || /[\t\n\r]/u.test(text[index]!))) index++;
  return text.slice(index);
}
