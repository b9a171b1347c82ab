import { DOTTED, LETTER, runOf, TOKEN } from './alphabet.js';
import { MASKED } from './masked.js';
import { isSensitiveKey, isWorkingFolder, mayEndSensitiveKey } from './sensitive-key.js';
import type { Span } from './span.js';

/** Values behind a name that says what they are: `password: x`, `API_KEY=x`, `"apiKey":"x"`, `--token x`, `Authorization: Basic x`. */
export function labelledValues(text: string): Span[] {
  const spans: Span[] = [];
  // Texts of programs are full of separators: nearly all are told by a few characters before them.
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== COLON && code !== EQUALS && code !== HYPHEN) continue;
    const labelled = code === HYPHEN ? flag(text, index) : named(text, index);
    const inside = labelled?.isJson === true ? textsWithin(text, labelled.start) : undefined;
    if (inside !== undefined) {
      spans.push(...inside.texts);
      index = inside.end - 1;
      continue;
    }
    const span = labelled === undefined ? undefined : valueAt(text, labelled);
    if (span === undefined) continue;
    spans.push(span);
    index = span.end - 1;
  }
  return spans;
}

const COLON = 0x3a;
const EQUALS = 0x3d;
const HYPHEN = 0x2d;

interface Labelled {
  readonly label: string;
  /** Where the value begins; blanks are skipped. */
  readonly start: number;
  /** The label is a name in JSON. */
  readonly isJson?: boolean;
  /** The quote in which label and value stand together, as a header does on a command line. */
  readonly around?: string;
}

const MAX_LABEL = 80;
const MAX_BLANKS = 8;
/** A quoted value without an end hides this much and no more. */
const MAX_QUOTED = 16_384;

function named(text: string, separator: number): Labelled | undefined {
  let end = separator;
  while (separator - end < MAX_BLANKS && isBlank(text, end - 1)) end--;
  if (isQuote(text, end - 1)) end--;
  if (text[end - 1] === '\\') end--;
  if (!mayEndSensitiveKey(text, end)) return undefined;
  let start = end;
  while (end - start < MAX_LABEL && DOTTED[text.charCodeAt(start - 1)] === true) start--;
  const label = text.slice(start, end);
  if (!isSensitiveKey(label)) return undefined;
  let value = separator + 1;
  while (value - separator < MAX_BLANKS && /[:=>]/u.test(text[value] ?? '')) value++;
  if (isWorkingFolder(label, text.charAt(value))) return undefined;
  const isAround = isQuote(text, start - 1) && !isQuote(text, end);
  const isJson = text[end] === '"' && text[start - 1] === '"';
  return { label, start: skipBlanks(text, value), ...(isJson ? { isJson } : {}), ...(isAround ? { around: text[start - 1]! } : {}) };
}

/** All texts of a list or map of JSON but its names; numbers are no credentials. As far as a quoted value may reach. */
function textsWithin(text: string, start: number): { readonly texts: readonly Span[]; readonly end: number } | undefined {
  if (!/^[{[]\s*["{[]/u.test(text.slice(start, start + 80))) return undefined;
  const limit = Math.min(text.length, start + MAX_QUOTED);
  const texts: Span[] = [];
  let depth = 0;
  let index = start;
  while (index < limit) {
    const character = text[index]!;
    if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth === 0) break;
    if (character !== '"') {
      index++;
      continue;
    }
    const span = { start: index + 1, end: quoteEnd(text, index + 1, limit) };
    index = span.end + 1;
    const isName = /^\s{0,8}:/u.test(text.slice(index, index + 10));
    if (!isName && span.end > span.start && text.slice(span.start, span.end) !== MASKED) texts.push(span);
  }
  return { texts, end: Math.min(index + 1, limit) };
}

function quoteEnd(text: string, start: number, limit: number): number {
  let index = start;
  while (index < limit && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return Math.min(index, limit);
}

function flag(text: string, hyphen: number): Labelled | undefined {
  const start = hyphen + 2;
  if (text.charCodeAt(hyphen + 1) !== HYPHEN || LETTER[text.charCodeAt(start)] !== true) return undefined;
  const label = /^[A-Za-z0-9_-]{1,80}/u.exec(text.slice(start, start + MAX_LABEL))![0];
  const end = start + label.length;
  return isBlank(text, end) && isSensitiveKey(label) && text[skipBlanks(text, end)] !== '-'
    ? { label, start: skipBlanks(text, end) }
    : undefined;
}

function valueAt(text: string, { label, start, around }: Labelled): Span | undefined {
  const head = text.slice(start, start + 200);
  if (/^(?:\[masked\]|(?:null|true|false|undefined|None)(?![A-Za-z0-9_])|[{[]\s*(?:["'{[\]}]|\n|$))/u.test(head)) return undefined;
  const quote = /^\\?["'`]/u.exec(head)?.[0];
  if (quote !== undefined) return quoted(text, start + quote.length, quote);
  if (/^[|>][+-]?[0-9]?[ \t]*\r?\n/u.test(head)) return block(text, start);
  if (isWholeLine(label, head)) return bounded(text, start, around === undefined ? /[\r\n]/gu : new RegExp(`[\\r\\n${around}]`, 'gu'));
  const scheme = /^(?:bearer|basic|token|negotiate|ntlm|apikey|digest|key)[ \t]+(?=[^\s"'`])/iu.exec(head)?.[0].length ?? 0;
  const plain = bounded(text, start + scheme, /[\s"'`&<>)}\]]|[,;](?=[\s"'`]|$)/gu);
  return plain === undefined ? undefined : { start: plain.start, end: continuation(text, plain, scheme > 0) };
}

/** Headers whose value has parameters or many parts. */
function isWholeLine(label: string, head: string): boolean {
  return /cookie$/iu.test(label) || (/authorization$/iu.test(label) && /^[A-Za-z0-9-]+[ \t]+[A-Za-z-]+=[^=]/u.test(head));
}

/** A token-shaped value goes on over a line break; another assignment on the next line does not belong to it. */
function continuation(text: string, plain: Span, isScheme: boolean): number {
  const value = text.slice(plain.start, plain.end);
  const isTokenShaped = isScheme || (value.length >= 16 && /[0-9]/u.test(value) && /[A-Za-z]/u.test(value));
  const next = /^[\r\n\t]+[A-Za-z_][A-Za-z0-9_.-]*[ \t]*[:=]/u.test(text.slice(plain.end, plain.end + 120));
  // Looked for only where it is taken, so that no part of a text is gone through for each label in it.
  return isTokenShaped && !next ? Math.max(plain.end, runOf(text, plain.start, TOKEN).end) : plain.end;
}

function quoted(text: string, start: number, quote: string): Span | undefined {
  const limit = Math.min(text.length, start + MAX_QUOTED);
  for (let index = start; index < limit; index++) {
    if (text.startsWith(quote, index)) return index === start ? undefined : { start, end: index };
    if (text[index] === '\\') index++;
  }
  // Without a closing quote within reach the value is what stands on the line, or all that is within reach.
  return limit === text.length ? bounded(text, start, /[\r\n]/gu) : { start, end: limit };
}

/** A YAML block scalar: the indented or empty lines below its header. */
function block(text: string, start: number): Span | undefined {
  const body = /\n(?![ \t\r\n]|$)/gu;
  body.lastIndex = text.indexOf('\n', start);
  return { start, end: body.exec(text)?.index ?? text.length };
}

function bounded(text: string, start: number, terminator: RegExp): Span | undefined {
  terminator.lastIndex = start;
  const found = terminator.exec(text)?.index ?? text.length;
  // What was masked before is one word, though it ends with a bracket.
  const end = text.startsWith(MASKED, found - MASKED.length + 1) ? found + 1 : found;
  return end > start ? { start, end } : undefined;
}

function skipBlanks(text: string, start: number): number {
  let index = start;
  while (isBlank(text, index)) index++;
  return index;
}

function isBlank(text: string, index: number): boolean {
  const character = text[index];
  return character === ' ' || character === '\t';
}

function isQuote(text: string, index: number): boolean {
  const character = text[index];
  return character === '"' || character === "'" || character === '`';
}
