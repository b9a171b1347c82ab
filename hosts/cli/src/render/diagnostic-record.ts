import type { Diagnostic, Position } from '@relavium/engine';
import { positionsOf } from './source-position.js';

/** A finding as `--json` gives it, one a line. Lines and columns count from 1; the end is exclusive. */
export interface DiagnosticRecord {
  readonly file: string;
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly range: { readonly start: Position; readonly end: Position };
  readonly suggestion?: string;
  readonly fix?: { readonly range: { readonly start: Position; readonly end: Position }; readonly text: string };
}

export function diagnosticRecord(diagnostic: Diagnostic): DiagnosticRecord {
  return {
    file: diagnostic.source.path,
    code: diagnostic.code,
    severity: diagnostic.severity,
    message: diagnostic.message,
    range: positionsOf(diagnostic.source, diagnostic.range),
    ...(diagnostic.suggestion === undefined ? {} : { suggestion: diagnostic.suggestion }),
    ...(diagnostic.fix === undefined
      ? {}
      : { fix: { range: positionsOf(diagnostic.source, diagnostic.fix.range), text: diagnostic.fix.text } }),
  };
}

/** A finding as a workflow command of GitHub Actions, which shows it beside the changed line. */
export function githubAnnotation(diagnostic: Diagnostic): string {
  const { file, range, severity, code, message, suggestion } = diagnosticRecord(diagnostic);
  const properties = [
    `file=${property(file)}`,
    `line=${range.start.line}`,
    `col=${range.start.column}`,
    `endLine=${range.end.line}`,
    `endColumn=${range.end.column}`,
    `title=${property(code)}`,
  ];
  return `::${severity} ${properties.join(',')}::${data(suggestion === undefined ? message : `${message}\n${suggestion}`)}`;
}

/** The escapes that the runner undoes: percent, line ends, and in properties the separators too. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
