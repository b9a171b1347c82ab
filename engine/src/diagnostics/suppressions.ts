import type { YamlDocument } from '../parse/yaml-document.js';
import { type LineIndex, lineIndex, positionAt } from '../source/positions.js';
import { unusedSuppression } from './catalogue/suppressing.js';
import { catalogueEntry } from './catalogue.js';
import { type Diagnostic, diagnose } from './diagnostic.js';

/**
 * Takes out the warnings that the file suppresses, and adds one for each suppression that hid nothing. Errors stay: a workflow with
 * one does not run, so hiding it would only hide why.
 */
export function applySuppressions(document: YamlDocument, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (document.suppressions.length === 0) return diagnostics;
  const used = new Set<string>();
  const lines = lineIndex(document.source.text);
  const byLine = suppressionsByLine(document, lines);
  const kept = diagnostics.filter((diagnostic) => {
    if (diagnostic.severity === 'error' || diagnostic.source.path !== document.source.path) return true;
    const index = byLine.get(positionAt(lines, diagnostic.range.start).line)?.get(diagnostic.code);
    if (index === undefined) return true;
    used.add(`${index} ${diagnostic.code}`);
    return false;
  });
  return [...kept, ...unused(document, used)];
}

/** For each line that is spoken of, the first suppression of each code. */
function suppressionsByLine(document: YamlDocument, lines: LineIndex): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const byLine = new Map<number, Map<string, number>>();
  for (const [index, { codes, target }] of document.suppressions.entries()) {
    const { line } = positionAt(lines, target.start);
    const known = byLine.get(line) ?? new Map<string, number>();
    byLine.set(line, known);
    for (const code of codes) if (!known.has(code)) known.set(code, index);
  }
  return byLine;
}

function unused(document: YamlDocument, used: ReadonlySet<string>): readonly Diagnostic[] {
  return document.suppressions.flatMap((suppression, index) => {
    if (suppression.codes.length === 0) return [report(document, index, 'it is written # relavium-ignore[code]: reason')];
    return suppression.codes
      .filter((code) => !used.has(`${index} ${code}`))
      .map((code) => report(document, index, reasonFor(code), suppression.codes.length === 1));
  });
}

function reasonFor(code: string): string {
  const entry = catalogueEntry(code);
  if (entry === undefined) return `there is no code "${code}"`;
  return entry.severity === 'error' ? `${code} is an error, and errors cannot be hidden` : `the line below has no ${code}`;
}

function report(document: YamlDocument, index: number, why: string, removable = false): Diagnostic {
  const { range } = document.suppressions[index] as (typeof document.suppressions)[number];
  const fix = removable ? { range: wholeLine(document.source.text, range), text: '' } : undefined;
  return diagnose(unusedSuppression, document.source, range, { why }, { fix });
}

function wholeLine(text: string, range: { start: number; end: number }): { start: number; end: number } {
  const before = text.lastIndexOf('\n', range.start - 1) + 1;
  const after = text.indexOf('\n', range.end);
  if (text.slice(before, range.start).trim() !== '') return range;
  return { start: before, end: after === -1 ? text.length : after + 1 };
}
