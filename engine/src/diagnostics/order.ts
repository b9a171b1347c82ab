import type { Diagnostic } from './diagnostic.js';

/** By file (in the order in which the files came up), then position, then code; a finding that stands twice is kept once. */
export function ordered(diagnostics: readonly Diagnostic[], paths: readonly string[]): readonly Diagnostic[] {
  const rank = new Map(paths.map((path, index) => [path, index]));
  const fileOf = (diagnostic: Diagnostic): number => rank.get(diagnostic.source.path) ?? paths.length;
  const sorted = [...diagnostics].sort(
    (a, b) =>
      fileOf(a) - fileOf(b) ||
      compareText(a.source.path, b.source.path) ||
      a.range.start - b.range.start ||
      a.range.end - b.range.end ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  );
  return sorted.filter((diagnostic, index) => index === 0 || !same(diagnostic, sorted[index - 1] as Diagnostic));
}

function same(a: Diagnostic, b: Diagnostic): boolean {
  return (
    a.code === b.code &&
    a.message === b.message &&
    a.range.start === b.range.start &&
    a.range.end === b.range.end &&
    a.source.path === b.source.path
  );
}

/** By code units: the same on every machine, whatever its locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
