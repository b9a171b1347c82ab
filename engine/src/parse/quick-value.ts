import { CST } from 'yaml';
import type { Json } from '../json.js';
import { MAX_YAML_DEPTH } from '../plan/ceilings.js';

/**
 * The value of a file that is written plainly and without a mistake, straight from its tokens: no anchors, tags, aliases, explicit keys
 * or directives. `undefined` for anything else, a mistake included: then the library composes the document, says what is wrong, and is
 * always right. Positions are composed too, but only when somebody asks for one, which for a good file is never. A test holds the
 * two ways together: what is given here, the library reads as the same value without a complaint.
 */
export function quickValue(tokens: readonly CST.Token[]): Json | undefined {
  let document: CST.Document | undefined;
  for (const token of tokens) {
    if (token.type === 'document') {
      if (document !== undefined) return undefined;
      document = token;
    } else if (token.type !== 'comment' && token.type !== 'newline') return undefined;
  }
  if (document?.value === undefined || !isBlank(document.start, true) || !isBlank(document.end ?? [], false)) return undefined;
  // A scalar as a whole document has rules of its own, and is no file of ours.
  return 'items' in document.value ? collection(document.value, 1) : undefined;
}

function value(token: CST.Token, depth: number): Json | undefined {
  switch (token.type) {
    case 'scalar':
      return plainScalar(token);
    case 'single-quoted-scalar':
    case 'double-quoted-scalar':
      return quotedScalar(token);
    case 'block-scalar':
      return readScalar(token);
    case 'block-map':
    case 'block-seq':
    case 'flow-collection':
      return collection(token, depth);
    default:
      return undefined;
  }
}

function collection(token: CST.BlockMap | CST.BlockSequence | CST.FlowCollection, depth: number): Json | undefined {
  if (depth > MAX_YAML_DEPTH) return undefined;
  if (token.type === 'block-map') return blockMap(token, depth);
  if (token.type === 'block-seq') return blockSequence(token, depth);
  if (!isClosed(token)) return undefined;
  return token.start.source === '{' ? flowMap(token, depth) : flowSequence(token, depth);
}

type MutableMap = { [key: string]: Json };

function blockMap(token: CST.BlockMap, depth: number): Json | undefined {
  const map: MutableMap = {};
  for (const item of token.items) {
    if (!isBlank(item.start, true)) return undefined;
    if (item.key === undefined) {
      // Comments behind the last entry.
      if (item.sep !== undefined || item !== token.items.at(-1)) return undefined;
      continue;
    }
    const { key, sep } = item;
    if (key === null || !('indent' in key) || key.indent !== token.indent) return undefined;
    const separator = separatorOf(sep, false);
    if (separator === undefined || !add(map, key, item.value, depth)) return undefined;
    const inner = item.value?.type;
    if ((inner === 'block-map' || inner === 'block-seq') && !separator.newline) return undefined;
  }
  return map;
}

function blockSequence(token: CST.BlockSequence, depth: number): Json | undefined {
  const list: Json[] = [];
  for (const { start, value: item } of token.items) {
    const indicator = start.findIndex((part) => part.type === 'seq-item-ind');
    if (indicator === -1) {
      if (item !== undefined || !isBlank(start, true)) return undefined;
      continue;
    }
    if (!isBlank(start.slice(0, indicator), true) || !isBlank(start.slice(indicator + 1), false)) return undefined;
    const made = item === undefined ? null : value(item, depth + 1);
    if (made === undefined) return undefined;
    list.push(made);
  }
  return list;
}

function flowMap(token: CST.FlowCollection, depth: number): Json | undefined {
  const map: MutableMap = {};
  for (const [index, item] of token.items.entries()) {
    const { key, sep } = item;
    if (!isFlowStart(item, index, token)) return undefined;
    if (key === undefined && sep === undefined && item.value === undefined) continue;
    if (key === undefined || key === null) return undefined;
    const separator = separatorOf(sep, key.type === 'double-quoted-scalar');
    if (separator === undefined || !add(map, key, item.value, depth)) return undefined;
    if (isBlock(item.value)) return undefined;
  }
  return map;
}

function flowSequence(token: CST.FlowCollection, depth: number): Json | undefined {
  const list: Json[] = [];
  for (const [index, item] of token.items.entries()) {
    if (!isFlowStart(item, index, token) || item.key !== undefined || item.sep !== undefined || isBlock(item.value)) return undefined;
    if (item.value === undefined) continue;
    const made = value(item.value, depth + 1);
    if (made === undefined) return undefined;
    list.push(made);
  }
  return list;
}

/** A comma before every item but the first; an empty item only behind the last comma. */
function isFlowStart(item: CST.CollectionItem, index: number, token: CST.FlowCollection): boolean {
  const commas = item.start.filter((part) => part.type === 'comma').length;
  const isEmpty = item.key === undefined && item.sep === undefined && item.value === undefined;
  if (commas !== (index === 0 ? 0 : 1) || (isEmpty && index < token.items.length - 1)) return false;
  return isBlank(
    item.start.filter((part) => part.type !== 'comma'),
    false,
  );
}

function isBlock(token: CST.Token | undefined): boolean {
  return token?.type === 'block-map' || token?.type === 'block-seq';
}

function isClosed({ start, end }: CST.FlowCollection): boolean {
  return end[0]?.source === (start.source === '{' ? '}' : ']') && isBlank(end.slice(1), false);
}

/** White space and comments, each comment behind white space. A tab may be a mistake, so the library judges it. */
function isBlank(tokens: readonly CST.SourceToken[], atLineStart: boolean): boolean {
  let spaced = atLineStart;
  for (const { type, source } of tokens) {
    if (type === 'space') {
      if (source.includes('\t')) return false;
      spaced = true;
    } else if (type === 'newline') spaced = true;
    else if (type !== 'comment' || !spaced) return false;
  }
  return true;
}

interface Separator {
  readonly newline: boolean;
}

/** A colon on the line of its key, with white space behind it. */
function separatorOf(tokens: readonly CST.SourceToken[] | undefined, tight: boolean): Separator | undefined {
  if (tokens === undefined) return undefined;
  const colon = tokens.findIndex((token) => token.type === 'map-value-ind');
  if (colon === -1) return undefined;
  for (let index = 0; index < colon; index += 1) if (tokens[index]?.type !== 'space') return undefined;
  const after = tokens.slice(colon + 1);
  if (!isBlank(tokens.slice(0, colon), false) || !isBlank(after, false) || (after.length === 0 && !tight)) return undefined;
  return { newline: after.some((token) => token.type === 'newline') };
}

function add(map: MutableMap, key: CST.Token, item: CST.Token | undefined, depth: number): boolean {
  const name = keyText(key);
  if (name === undefined || Object.hasOwn(map, name) || name === '__proto__') return false;
  const made = item === undefined ? null : value(item, depth + 1);
  if (made === undefined) return false;
  map[name] = made;
  return true;
}

/** Longer keys are refused by YAML itself, from 1024 characters on. */
const LONGEST_KEY = 1_000;

function keyText(key: CST.Token): string | undefined {
  if (key.type !== 'scalar' && key.type !== 'single-quoted-scalar' && key.type !== 'double-quoted-scalar') return undefined;
  if (key.source.length > LONGEST_KEY || key.source.includes('\n')) return undefined;
  const text = key.type === 'scalar' ? plainScalar(key) : quotedScalar(key);
  return typeof text === 'string' ? text : undefined;
}

/** Plain text over several lines is left to the library, as are numbers in other forms than decimal. */
function plainScalar({ source, end }: CST.FlowScalar): Json | undefined {
  if (source.includes('\n') || (end !== undefined && !isBlank(end, false))) return undefined;
  const first = source.charCodeAt(0);
  if ((first >= 0x61 && first <= 0x7a) || (first >= 0x41 && first <= 0x5a)) return word(source);
  if (/^[,%|>@`\t]/.test(source)) return undefined;
  if (source === '' || source === '~') return null;
  if (!/^[-+.0-9]/.test(source)) return source;
  if (/^[-+]?[0-9]+$/.test(source)) return safe(Number.parseInt(source, 10));
  if (/^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)$/.test(source)) return safe(Number.parseFloat(source));
  return /^[-+.0-9][-+.0-9xoeEa-fA-FnNiI]*$/.test(source) ? undefined : source;
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

function quotedScalar(token: CST.FlowScalar): string | undefined {
  const { source, type, end } = token;
  if (end !== undefined && !isBlank(end, false)) return undefined;
  const quote = type === 'single-quoted-scalar' ? "'" : '"';
  if (source.length < 2 || source[source.length - 1] !== quote) return undefined;
  if (source.includes('\n')) return readScalar(token);
  if (quote === "'") return source.includes("''") ? source.slice(1, -1).replaceAll("''", "'") : source.slice(1, -1);
  return source.includes('\\') ? readScalar(token) : source.slice(1, -1);
}

/** The library's own reading of one text. */
function readScalar(token: CST.FlowScalar | CST.BlockScalar): string | undefined {
  let isGood = true;
  const scalar = CST.resolveAsScalar(token, true, () => {
    isGood = false;
  });
  return isGood ? scalar.value : undefined;
}
