import { type EvaluationFailure, failed } from '../expression/evaluated.js';
import type { Json } from '../json.js';
import { jsonText, textOf } from './json-text.js';
import type { FilterName } from './template.js';

export type ValueType = 'null' | 'boolean' | 'number' | 'text' | 'list' | 'object';

export type Filtered = { readonly ok: true; readonly value: Json } | EvaluationFailure;

/** What can be known of a filter before it runs, and, but for those that the renderer handles itself, what it does. */
export interface Filter {
  readonly takes: readonly ValueType[] | 'anything';
  /** `unknown` where it depends on the value. */
  readonly gives: ValueType | 'unknown';
  /** One entry an argument. */
  readonly args: readonly ArgumentKind[];
  readonly apply: (value: never, args: readonly Json[]) => Filtered;
}

/** `literal` is any constant, `count` an integer from 0. */
export type ArgumentKind = 'literal' | 'text' | 'count';

export function typeOf(value: Json): ValueType {
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'list' : 'object';
  return typeof value === 'string' ? 'text' : (typeof value as 'boolean' | 'number');
}

export function isFilterName(name: string): name is FilterName {
  return Object.hasOwn(FILTERS, name);
}

/** `default` and `read_file` are here for their shapes: what they do, the renderer does. */
export const FILTERS: Readonly<Record<FilterName, Filter>> = {
  json: { takes: 'anything', gives: 'text', args: [], apply: (value: Json) => jsonText(value, 2) },
  compact: { takes: 'anything', gives: 'text', args: [], apply: (value: Json) => jsonText(value) },
  length: { takes: ['text', 'list', 'object'], gives: 'number', args: [], apply: (value: string | Json[] | object) => given(count(value)) },
  default: { takes: 'anything', gives: 'unknown', args: ['literal'], apply: given },
  read_file: { takes: ['text'], gives: 'text', args: [], apply: given },
  trim: { takes: ['text'], gives: 'text', args: [], apply: (text: string) => given(text.trim()) },
  lines: { takes: ['text'], gives: 'list', args: [], apply: (text: string) => given(lines(text)) },
  join: { takes: ['list'], gives: 'text', args: ['text'], apply: (list: readonly Json[], [between]) => join(list, between as string) },
  upper: { takes: ['text'], gives: 'text', args: [], apply: (text: string) => given(text.toUpperCase()) },
  lower: { takes: ['text'], gives: 'text', args: [], apply: (text: string) => given(text.toLowerCase()) },
  quote: { takes: 'anything', gives: 'text', args: [], apply: quote },
  truncate: { takes: ['text'], gives: 'text', args: ['count'], apply: (text: string, [limit]) => given(truncate(text, limit as number)) },
};

function given(value: Json): Filtered {
  return { ok: true, value };
}

function count(value: string | readonly Json[] | object): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : Object.keys(value).length;
}

/** A line break at the very end closes the last line and does not begin another. */
function lines(text: string): string[] {
  const found = text.split(/\r\n|\n|\r/);
  if (found.at(-1) === '') found.pop();
  return found;
}

function join(list: readonly Json[], between: string): Filtered {
  const texts: string[] = [];
  for (const element of list) {
    const text = textOf(element);
    if (!text.ok) return text;
    texts.push(text.value);
  }
  return given(texts.join(between));
}

function quote(value: Json): Filtered {
  const text = textOf(value);
  return text.ok ? given(JSON.stringify(text.value)) : text;
}

/** The first `limit` UTF-16 units, one less where that would part a surrogate pair. */
function truncate(text: string, limit: number): string {
  const cut = text.slice(0, limit);
  return cut.length < text.length && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

export function wrongType(name: FilterName, type: ValueType): EvaluationFailure {
  return failed('result_type', wrongTypeMessage(name, type));
}

export function wrongTypeMessage(name: FilterName, type: ValueType): string {
  return `the filter ${name} takes ${(FILTERS[name].takes as readonly ValueType[]).map(article).join(' or ')}, and this is ${article(type)}`;
}

function article(type: ValueType): string {
  return type === 'null' ? 'null' : `${type === 'object' ? 'an' : 'a'} ${type}`;
}
