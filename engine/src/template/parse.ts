import type { AnyNode } from 'acorn';
import type { FreeName, Read } from '../expression/expression.js';
import { parseExpression } from '../expression/parse.js';
import { readSyntax, SYNTAX_OFFSET, type SyntaxProblem } from '../expression/syntax.js';
import type { Json } from '../json.js';
import { misfit } from '../json-limits.js';
import { type ArgumentKind, FILTERS, isFilterName, typeOf, type ValueType, wrongTypeMessage } from './filters.js';
import { splitHole } from './split-hole.js';
import type { FilterCall, Hole, Segment, Template } from './template.js';

export type ParsedTemplate = { readonly template: Template } | { readonly error: SyntaxProblem };

/**
 * Parses a text with holes, `{{ head | filter }}`. Only `{{` opens one; every other brace is text. Never throws, and takes time in
 * proportion to the text. Error offsets count UTF-16 units in the text.
 */
export function parseTemplate(text: string): ParsedTemplate {
  const segments: Segment[] = [];
  const reads: Read[] = [];
  const free: FreeName[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    if (open > at) segments.push({ kind: 'literal', text: text.slice(at, open) });
    const parsed = parseHole(text, open);
    if ('error' in parsed) return parsed;
    const { hole, headStart } = parsed;
    segments.push(hole);
    for (const read of hole.head.reads) reads.push({ ...read, start: read.start + headStart, end: read.end + headStart });
    for (const name of hole.head.free) free.push({ ...name, start: name.start + headStart, end: name.end + headStart });
    at = hole.end;
  }
  if (at < text.length) segments.push({ kind: 'literal', text: text.slice(at) });
  const holes = segments.filter((segment) => segment.kind === 'hole');
  return {
    template: {
      kind: 'template',
      text,
      segments,
      single: segments.length === 1 && holes.length === 1,
      reads,
      free,
      needsVm: holes.some((hole) => hole.head.needsVm),
      readsFiles: holes.some((hole) => hole.filters.some(({ name }) => name === 'read_file')),
    },
  };
}

type ParsedHole = { readonly hole: Hole; readonly headStart: number } | { readonly error: SyntaxProblem };

function parseHole(text: string, open: number): ParsedHole {
  const split = splitHole(text, open);
  if ('error' in split) return split;
  const [head, ...filterSpans] = split.parts;
  const headText = text.slice(head.start, head.end);
  if (headText.trim() === '') return problem(open, split.end, 'there is no expression between `{{` and `}}`');
  const parsed = parseExpression(headText);
  if ('error' in parsed) return { error: shifted(parsed.error, head.start) };

  const filters: FilterCall[] = [];
  let type: ValueType | 'unknown' = parsed.expression.plain?.kind === 'literal' ? literalType(parsed.expression.plain.value) : 'unknown';
  for (const span of filterSpans) {
    const filter = parseFilter(text, span);
    if ('error' in filter) return filter;
    const { takes, gives } = FILTERS[filter.call.name];
    if (takes !== 'anything' && type !== 'unknown' && !takes.includes(type)) {
      return problem(filter.start, filter.end, wrongTypeMessage(filter.call.name, type));
    }
    type = gives;
    filters.push(filter.call);
  }
  return { hole: { kind: 'hole', head: parsed.expression, filters, start: open, end: split.end }, headStart: head.start };
}

/** Null and undefined may be replaced by a `default` further on, so nothing is known of them. */
function literalType(value: Json | undefined): ValueType | 'unknown' {
  return value === undefined || value === null ? 'unknown' : typeOf(value);
}

type ParsedFilter = { readonly call: FilterCall; readonly start: number; readonly end: number } | { readonly error: SyntaxProblem };

function parseFilter(text: string, span: { readonly start: number; readonly end: number }): ParsedFilter {
  const written = text.slice(span.start, span.end);
  const start = span.start + (written.length - written.trimStart().length);
  const end = span.start + written.trimEnd().length;
  const match = /^([A-Za-z_]\w*)\s*(?:\(([\s\S]*)\))?$/.exec(text.slice(start, Math.max(start, end)));
  if (match === null) return problem(start, Math.max(start, end), 'after `|` stands a filter: a name, with its arguments in parentheses');
  const name = match[1] as string;
  if (!isFilterName(name)) {
    return problem(start, start + name.length, `there is no filter ${name}; the filters are ${Object.keys(FILTERS).join(', ')}`);
  }
  const args = parseArguments(match[2] ?? '', start + (match[0].indexOf('(') + 1));
  if ('error' in args) return args;
  const { args: kinds } = FILTERS[name];
  if (args.values.length !== kinds.length) {
    const takes = kinds.length === 0 ? 'takes no argument' : 'takes one argument';
    return problem(start, end, `the filter ${name} ${takes}, and there ${args.values.length === 1 ? 'is' : 'are'} ${args.values.length}`);
  }
  for (const [i, kind] of kinds.entries()) {
    if (!fits(args.values[i] as Json, kind)) return problem(start, end, `the argument of ${name} is ${ARGUMENTS[kind]}`);
  }
  return { call: { name, args: args.values }, start, end };
}

const ARGUMENTS: Readonly<Record<ArgumentKind, string>> = {
  literal: 'a constant that JSON can hold',
  text: 'a text in quotes',
  count: 'an integer from 0',
};

function fits(value: Json, kind: ArgumentKind): boolean {
  if (kind === 'text') return typeof value === 'string';
  if (kind === 'literal') return misfit(value) === undefined;
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Arguments are constants: a filter never evaluates anything. */
function parseArguments(text: string, offset: number): { readonly values: readonly Json[] } | { readonly error: SyntaxProblem } {
  if (text.trim() === '') return { values: [] };
  const syntax = readSyntax(`[${text}]`);
  const shift = offset - 1;
  if ('error' in syntax) return { error: shifted(syntax.error, shift) };
  const list = constantOf(syntax.node);
  if (list.kind === 'constant' && Array.isArray(list.value)) return { values: list.value };
  // The node is the list around all arguments where these are more, or less, than a list.
  const { start, end } = list.kind === 'constant' ? syntax.node : list.node;
  const first = Math.max(offset, start - SYNTAX_OFFSET + shift);
  return problem(first, Math.min(offset + text.length, end - SYNTAX_OFFSET + shift), 'the argument of a filter is a constant');
}

type Constant = { readonly kind: 'constant'; readonly value: Json } | { readonly kind: 'other'; readonly node: AnyNode };

function constantOf(node: AnyNode): Constant {
  if (
    node.type === 'Literal' &&
    (node.value === null || ['string', 'number', 'boolean'].includes(typeof node.value)) &&
    !node.regex &&
    !node.bigint
  ) {
    return { kind: 'constant', value: node.value as Json };
  }
  if (
    node.type === 'UnaryExpression' &&
    node.operator === '-' &&
    node.argument.type === 'Literal' &&
    typeof node.argument.value === 'number'
  ) {
    return { kind: 'constant', value: -node.argument.value };
  }
  if (node.type === 'ArrayExpression') {
    const values: Json[] = [];
    for (const element of node.elements) {
      const constant = element === null ? ({ kind: 'other', node } as const) : constantOf(element);
      if (constant.kind === 'other') return constant;
      values.push(constant.value);
    }
    return { kind: 'constant', value: values };
  }
  if (node.type === 'ObjectExpression') {
    const entries: [string, Json][] = [];
    for (const property of node.properties) {
      const constant =
        property.type === 'Property' && !property.computed ? constantOf(property.value) : ({ kind: 'other', node: property } as const);
      if (constant.kind === 'other' || property.type !== 'Property') return { kind: 'other', node: property };
      const { key } = property;
      entries.push([key.type === 'Identifier' ? key.name : String((key as { readonly value?: unknown }).value), constant.value]);
    }
    return { kind: 'constant', value: Object.fromEntries(entries) };
  }
  return { kind: 'other', node };
}

function shifted(error: SyntaxProblem, by: number): SyntaxProblem {
  return { message: error.message, start: error.start + by, end: error.end + by };
}

function problem(start: number, end: number, message: string): { readonly error: SyntaxProblem } {
  return { error: { message, start, end } };
}
