import type { Json } from '../json.js';
import { MAX_YAML_DEPTH } from '../plan/ceilings.js';

/**
 * The value of a file that is written plainly and without a mistake, straight from its text: block maps and lists, flow collections,
 * scalars on one line, block text; no anchors, tags, aliases, explicit keys, directives or tabs. `undefined` for anything else, a
 * mistake included: then the library reads the file, says what is wrong, and is always right. Positions are its work too, but only
 * when somebody asks for one, which for a good file is never. A test holds the two ways together: what is given here, the library reads
 * as the same value without a complaint. Its tokens alone took half of the time of a command that checks a file.
 */
export function quickValue(text: string): Json | undefined {
  const lines = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  return UNUSUAL.test(lines) ? undefined : new Reader(lines).document();
}

/** Tabs, lone carriage returns, control characters, separators of lines and paragraphs, byte order marks. */
const UNUSUAL = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ufefe\uff00-\uffff]/;

/** Longer keys are refused by YAML itself, from 1024 characters on. */
const LONGEST_KEY = 1_000;

const SPACE = 0x20;
const NEWLINE = 0x0a;
const HASH = 0x23;
const COLON = 0x3a;
const COMMA = 0x2c;
const DASH = 0x2d;
const SINGLE_QUOTE = 0x27;
const DOUBLE_QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;

type MutableMap = { [key: string]: Json };

/**
 * Invariants: what lies before `at` has been taken, and is never looked at again but for the key that begins an item; before a block
 * collection and behind a value of a block, `at` is at the next content and `column` is its column, -1 at the end of the text.
 */
class Reader {
  private readonly text: string;
  private at = 0;
  private lineStart = 0;
  private column = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** A scalar as a whole document has rules of its own, and is no file of ours. */
  document(): Json | undefined {
    this.nextContent();
    if (this.column !== 0) return undefined;
    const isFlow = this.code() === OPEN_MAP || this.code() === OPEN_LIST;
    const value = isFlow ? this.onlyOnLine(this.flowNode(-1, 1)) : this.block(1);
    return this.isOver() ? value : undefined;
  }

  private block(depth: number): Json | undefined {
    return this.isItem() ? this.blockSequence(depth) : this.blockMap(depth);
  }

  private blockMap(depth: number): Json | undefined {
    const indent = this.column;
    if (depth > MAX_YAML_DEPTH) return undefined;
    const map: MutableMap = {};
    while (this.column === indent && !this.isItem()) {
      if (indent === 0 && this.isMarker()) return undefined;
      const key = this.key(false);
      if (!isNewKey(map, key)) return undefined;
      const value = this.entry(indent, depth, true);
      if (value === undefined) return undefined;
      map[key] = value;
    }
    return this.column > indent ? undefined : map;
  }

  private blockSequence(depth: number): Json | undefined {
    const indent = this.column;
    if (depth > MAX_YAML_DEPTH) return undefined;
    const list: Json[] = [];
    while (this.column === indent && this.isItem()) {
      this.at += 1;
      const value = this.entry(indent, depth, false);
      if (value === undefined) return undefined;
      list.push(value);
    }
    return this.column > indent ? undefined : list;
  }

  /** What stands behind the colon of a key or the dash of an item, on its line or below. */
  private entry(indent: number, depth: number, isOfKey: boolean): Json | undefined {
    this.skipSpaces();
    const code = this.code();
    if (isEnd(code) || code === HASH) {
      if (!this.endLine()) return undefined;
      if (this.column > indent) return this.block(depth + 1);
      return isOfKey && this.column === indent && this.isItem() ? this.blockSequence(depth + 1) : null;
    }
    if (!isOfKey) {
      this.column = this.at - this.lineStart;
      if (this.isItem() || this.isKey()) return this.block(depth + 1);
    }
    const char = this.text[this.at];
    return char === '|' || char === '>' ? this.blockText(indent, char) : this.onlyOnLine(this.flowNode(indent, depth + 1, false));
  }

  /** `|` or `>`, whose own indentation is that of its first line. */
  private blockText(indent: number, style: '|' | '>'): string | undefined {
    this.at += 1;
    const chomping = this.text[this.at];
    if (chomping === '-' || chomping === '+') this.at += 1;
    if (!this.endHeader()) return undefined;
    const lines = this.blockLines(indent);
    const end = lines === undefined ? -1 : lines.findLastIndex((line) => line !== '');
    this.nextContent();
    if (lines === undefined || end === -1) return undefined;
    const body = style === '|' ? lines.slice(0, end + 1).join('\n') : folded(lines.slice(0, end + 1));
    if (body === undefined || chomping === '-') return body;
    return body + (chomping === '+' ? '\n'.repeat(lines.length - end) : '\n');
  }

  private blockLines(indent: number): readonly string[] | undefined {
    const lines: string[] = [];
    let content = -1;
    while (this.at < this.text.length) {
      const start = this.at;
      const newline = this.text.indexOf('\n', start);
      const end = newline === -1 ? this.text.length : newline;
      this.skipSpaces();
      const width = this.at - start;
      const isBlank = this.at === end;
      if (!isBlank && width <= indent) {
        this.at = start;
        break;
      }
      // What white space before the first line and at the very end of the text means is left to the library.
      if (isBlank && width > 0 && (content === -1 || newline === -1)) return undefined;
      if (content === -1 && !isBlank) content = width;
      if (!isBlank && width < content) return undefined;
      lines.push(content === -1 ? '' : this.text.slice(Math.min(start + content, end), end));
      this.at = newline === -1 ? end : end + 1;
    }
    return lines;
  }

  private flowNode(indent: number, depth: number, isInFlow = true): Json | undefined {
    switch (this.code()) {
      case OPEN_MAP:
        return this.flowMap(indent, depth);
      case OPEN_LIST:
        return this.flowSequence(indent, depth);
      case SINGLE_QUOTE:
      case DOUBLE_QUOTE:
        return this.quoted();
      default:
        return this.plain(isInFlow);
    }
  }

  private flowMap(indent: number, depth: number): Json | undefined {
    if (depth > MAX_YAML_DEPTH) return undefined;
    const map: MutableMap = {};
    this.at += 1;
    for (;;) {
      if (!this.skipInFlow(indent)) return undefined;
      if (this.take(CLOSE_MAP)) return map;
      const key = this.key(true);
      if (!isNewKey(map, key) || !this.skipInFlow(indent)) return undefined;
      const value = this.flowNode(indent, depth + 1);
      if (value === undefined || !this.endFlowItem(indent, CLOSE_MAP)) return undefined;
      map[key] = value;
    }
  }

  private flowSequence(indent: number, depth: number): Json | undefined {
    if (depth > MAX_YAML_DEPTH) return undefined;
    const list: Json[] = [];
    this.at += 1;
    for (;;) {
      if (!this.skipInFlow(indent)) return undefined;
      if (this.take(CLOSE_LIST)) return list;
      const value = this.flowNode(indent, depth + 1);
      if (value === undefined || !this.endFlowItem(indent, CLOSE_LIST)) return undefined;
      list.push(value);
    }
  }

  private endFlowItem(indent: number, close: number): boolean {
    return this.skipInFlow(indent) && (this.take(COMMA) || this.code() === close);
  }

  private isKey(): boolean {
    const { at } = this;
    const found = this.key(false);
    this.at = at;
    return found !== undefined;
  }

  /** A key and the colon on its line. */
  private key(isInFlow: boolean): string | undefined {
    const start = this.at;
    const isQuoted = this.code() === SINGLE_QUOTE || this.code() === DOUBLE_QUOTE;
    const key = isQuoted ? this.quoted() : this.plainKey(isInFlow);
    if (typeof key !== 'string' || this.at - start > LONGEST_KEY || !this.take(COLON)) return undefined;
    return (isInFlow && isQuoted) || isBlank(this.code()) ? key : undefined;
  }

  private plainKey(isInFlow: boolean): Json | undefined {
    const end = this.plainEnd(isInFlow);
    if (end === undefined || this.text.charCodeAt(end - 1) === SPACE) return undefined;
    const source = this.text.slice(this.at, end);
    this.at = end;
    return plainScalar(source);
  }

  private plain(isInFlow: boolean): Json | undefined {
    let end = this.plainEnd(isInFlow);
    if (end === undefined || this.text.charCodeAt(end) === COLON) return undefined;
    while (this.text.charCodeAt(end - 1) === SPACE) end -= 1;
    const source = this.text.slice(this.at, end);
    this.at = end;
    return plainScalar(source);
  }

  /** Where plain text stops: at the end of the line, a comment, the colon of a key, or what ends an item of a flow collection. */
  private plainEnd(isInFlow: boolean): number | undefined {
    const { text, at } = this;
    if (!startsPlain(text, at, isInFlow)) return undefined;
    for (let end = at; ; end += 1) {
      const code = text.charCodeAt(end);
      if (isEnd(code)) return end;
      if (code === HASH && text.charCodeAt(end - 1) === SPACE) return end;
      if (isInFlow && isFlowIndicator(code)) return end;
      if (code !== COLON) continue;
      const next = text.charCodeAt(end + 1);
      if (isBlank(next) || (isInFlow && isFlowIndicator(next))) return end;
    }
  }

  /** Text in quotes, on one line. */
  private quoted(): string | undefined {
    const start = this.at;
    const quote = this.code();
    for (let end = start + 1; ; end += 1) {
      const code = this.text.charCodeAt(end);
      if (isEnd(code)) return undefined;
      if (code === BACKSLASH && quote === DOUBLE_QUOTE) end += 1;
      else if (code === quote) {
        if (quote === SINGLE_QUOTE && this.text.charCodeAt(end + 1) === SINGLE_QUOTE) end += 1;
        else {
          this.at = end + 1;
          return quote === SINGLE_QUOTE
            ? this.text.slice(start + 1, end).replaceAll("''", "'")
            : unescaped(this.text.slice(start, end + 1));
        }
      }
    }
  }

  /** A value behind which its line holds nothing but a comment. */
  private onlyOnLine(value: Json | undefined): Json | undefined {
    return value !== undefined && this.endLine() ? value : undefined;
  }

  private endLine(): boolean {
    if (this.at < this.text.length && !this.endHeader()) return false;
    this.nextContent();
    return true;
  }

  /** To the start of the next line, over white space and a comment. */
  private endHeader(): boolean {
    this.skipSpaces();
    if (this.code() === HASH && this.text.charCodeAt(this.at - 1) === SPACE) this.skipComment();
    if (this.at === this.text.length) return true;
    return this.take(NEWLINE);
  }

  /** Over empty lines and comments, from the start of a line. */
  private nextContent(): void {
    this.column = -1;
    while (this.at < this.text.length) {
      this.lineStart = this.at;
      this.skipSpaces();
      if (this.code() === HASH) this.skipComment();
      if (this.at === this.text.length) return;
      if (!this.take(NEWLINE)) {
        this.column = this.at - this.lineStart;
        return;
      }
    }
  }

  /** Over white space, lines and comments inside a flow collection. Whatever begins a line must stand to the right of the block around it. */
  private skipInFlow(indent: number): boolean {
    let isAtLineStart = false;
    for (;;) {
      this.skipSpaces();
      if (this.take(NEWLINE)) {
        this.lineStart = this.at;
        isAtLineStart = true;
        continue;
      }
      const column = this.at - this.lineStart;
      if (isAtLineStart && (column <= indent || (column === 0 && this.isMarker()))) return false;
      if (this.code() !== HASH) return true;
      if (!isAtLineStart && this.text.charCodeAt(this.at - 1) !== SPACE) return false;
      this.skipComment();
    }
  }

  private skipSpaces(): void {
    while (this.text.charCodeAt(this.at) === SPACE) this.at += 1;
  }

  private skipComment(): void {
    const newline = this.text.indexOf('\n', this.at);
    this.at = newline === -1 ? this.text.length : newline;
  }

  private isItem(): boolean {
    return this.code() === DASH && isBlank(this.text.charCodeAt(this.at + 1));
  }

  private isOver(): boolean {
    return this.column === -1;
  }

  /** The line between two documents. */
  private isMarker(): boolean {
    return this.text.startsWith('---', this.at) || this.text.startsWith('...', this.at);
  }

  /** NaN behind the end. */
  private code(): number {
    return this.text.charCodeAt(this.at);
  }

  private take(code: number): boolean {
    if (this.code() !== code) return false;
    this.at += 1;
    return true;
  }
}

function isEnd(code: number): boolean {
  return code === NEWLINE || Number.isNaN(code);
}

function isBlank(code: number): boolean {
  return code === SPACE || isEnd(code);
}

function isFlowIndicator(code: number): boolean {
  return code === COMMA || code === OPEN_LIST || code === CLOSE_LIST || code === OPEN_MAP || code === CLOSE_MAP;
}

function startsPlain(text: string, at: number, isInFlow: boolean): boolean {
  const first = text[at];
  if (first === undefined || ' \n,[]{}#&*!|>\'"%@`'.includes(first)) return false;
  if (first !== '-' && first !== '?' && first !== ':') return true;
  const next = text.charCodeAt(at + 1);
  return !isBlank(next) && !(isInFlow && isFlowIndicator(next));
}

function isNewKey(map: MutableMap, key: string | undefined): key is string {
  return key !== undefined && key !== '__proto__' && !Object.hasOwn(map, key);
}

/** Lines joined by spaces, empty ones being breaks. Indented lines keep theirs by rules that are left to the library. */
function folded(lines: readonly string[]): string | undefined {
  let text = '';
  let isBroken = true;
  for (const line of lines) {
    if (line.startsWith(' ') || (line === '' && text === '')) return undefined;
    text += line === '' ? '\n' : isBroken ? line : ` ${line}`;
    isBroken = line === '';
  }
  return text;
}

/** Text in double quotes, with the escapes that JSON has too. Halves of a pair are left to the library. */
function unescaped(source: string): string | undefined {
  if (!source.includes('\\')) return source.slice(1, -1);
  return /^(?:[^\\]|\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}))*$/.test(source) ? (JSON.parse(source) as string) : undefined;
}

/** Hexadecimal, octal, with an exponent, or none at all. */
const OTHER_NUMBER = /^(?:0[ox]|[-+]?(?:\.inf|\.nan|[.0-9]+e[-+]?[0-9]+)$)/i;

/** Numbers in other forms than decimal are left to the library. */
function plainScalar(source: string): Json | undefined {
  const first = source.charCodeAt(0);
  if ((first >= 0x61 && first <= 0x7a) || (first >= 0x41 && first <= 0x5a)) return word(source);
  if (source === '~') return null;
  if (!/^[-+.0-9]/.test(source)) return source;
  if (/^[-+]?[0-9]+$/.test(source)) return safe(Number.parseInt(source, 10));
  if (/^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)$/.test(source)) return safe(Number.parseFloat(source));
  return OTHER_NUMBER.test(source) ? undefined : source;
}

function word(source: string): Json {
  switch (source) {
    case 'true':
    case 'True':
    case 'TRUE':
      return true;
    case 'false':
    case 'False':
    case 'FALSE':
      return false;
    case 'null':
    case 'Null':
    case 'NULL':
      return null;
    default:
      return source;
  }
}

function safe(number: number): number | undefined {
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number;
}
