import { type ExpressionErrorReason, evaluate, type Scope } from '../expression/evaluate.js';
import { clip } from '../expression/evaluated.js';
import type { Json } from '../json.js';
import type { ExpressionVm } from '../ports/expression-vm.js';
import { FILTERS, typeOf, wrongType } from './filters.js';
import { textOf } from './json-text.js';
import type { Hole, Template } from './template.js';

export type Rendered = { readonly ok: true; readonly value: Json } | RenderFailure;

export interface RenderFailure {
  readonly ok: false;
  /** The reason of a failed expression, or the code of an error that is none of an expression. */
  readonly reason: ExpressionErrorReason | 'unresolved_reference' | FileErrorCode;
  readonly message: string;
}

export type FileErrorCode = 'tool_denied' | 'tool_failed' | 'tool_unavailable';

/** Gives the text of a file of the workspace, under the policy for files. Never rejects. */
export type ReadFile = (
  path: string,
) => Promise<{ readonly ok: true; readonly text: string } | { readonly ok: false; readonly code: FileErrorCode; readonly message: string }>;

/**
 * Fills a template. One that is a single hole gives the value itself, any other a text: texts as they are, everything else as JSON.
 * What is filled in is data and is never read as a template. A template that reads files is refused: see `renderTemplateAsync`.
 */
export function renderTemplate(template: Template, scope: Scope, vm: ExpressionVm | undefined): Rendered {
  const values: Json[] = [];
  for (const segment of template.segments) {
    if (segment.kind === 'literal') continue;
    const filled = start(segment, scope, vm);
    if ('path' in filled) return noFiles();
    if (!filled.ok) return filled;
    values.push(filled.value);
  }
  return assemble(template, values);
}

/** As `renderTemplate`, for templates with the filter `read_file` too. Files are read one after the other. */
export async function renderTemplateAsync(
  template: Template,
  scope: Scope,
  vm: ExpressionVm | undefined,
  readFile: ReadFile | undefined,
): Promise<Rendered> {
  const values: Json[] = [];
  for (const segment of template.segments) {
    if (segment.kind === 'literal') continue;
    let filled = start(segment, scope, vm);
    while ('path' in filled) {
      if (readFile === undefined) return noFiles();
      const file = await readFile(filled.path);
      if (!file.ok) return { ok: false, reason: file.code, message: file.message };
      filled = filterFrom(segment, filled.next, file.text);
    }
    if (!filled.ok) return filled;
    values.push(filled.value);
  }
  return assemble(template, values);
}

/** A hole that is filled, or that waits for a file before the filter `next`. */
type Filled = Rendered | { readonly path: string; readonly next: number };

function start(hole: Hole, scope: Scope, vm: ExpressionVm | undefined): Filled {
  const head = evaluate(hole.head, scope, vm);
  return head.ok ? filterFrom(hole, 0, head.value) : head;
}

function filterFrom(hole: Hole, from: number, head: Json | undefined): Filled {
  let value = head;
  for (let i = from; i < hole.filters.length; i++) {
    const { name, args } = hole.filters[i] as Hole['filters'][number];
    if (name === 'default') {
      value ??= args[0];
      continue;
    }
    // What is missing goes past the other filters to the `default` that stands in for it.
    if ((value === undefined || value === null) && hole.filters.slice(i).some((later) => later.name === 'default')) continue;
    if (value === undefined) return unresolved(hole);
    const filter = FILTERS[name];
    const type = typeOf(value);
    if (filter.takes !== 'anything' && !filter.takes.includes(type)) return wrongType(name, type);
    if (name === 'read_file') return { path: value as string, next: i + 1 };
    const filtered = filter.apply(value as never, args);
    if (!filtered.ok) return filtered;
    value = filtered.value;
  }
  return value === undefined ? unresolved(hole) : { ok: true, value };
}

function assemble(template: Template, values: readonly Json[]): Rendered {
  if (template.single) return { ok: true, value: values[0] as Json };
  let text = '';
  let next = 0;
  for (const segment of template.segments) {
    if (segment.kind === 'literal') {
      text += segment.text;
      continue;
    }
    const part = textOf(values[next++] as Json);
    if (!part.ok) return part;
    text += part.value;
  }
  return { ok: true, value: text };
}

const MAX_NAMED = 200;

function unresolved(hole: Hole): RenderFailure {
  const name = clip(hole.head.text.trim(), MAX_NAMED);
  return { ok: false, reason: 'unresolved_reference', message: `${name} has no value here; give it one with | default(…)` };
}

function noFiles(): RenderFailure {
  return { ok: false, reason: 'tool_unavailable', message: 'the filter read_file needs a host that reads files' };
}
