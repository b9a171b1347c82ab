import { type Diagnostic, showControls } from '@relavium/engine';
import type { Paint } from './paint.js';
import { snippet } from './snippet.js';
import { positionsOf } from './source-position.js';

/** A finding as a person reads it: where, what, the line itself, and what to write instead. */
export function prettyDiagnostic(diagnostic: Diagnostic, paint: Paint, columns: number | undefined): string {
  const { line, column } = positionsOf(diagnostic.source, diagnostic.range).start;
  const level = diagnostic.severity === 'error' ? paint.red('error') : paint.yellow('warning');
  const lines = [
    `${paint.bold(`${showControls(diagnostic.source.path)}:${line}:${column}`)} ${level} ${paint.dim(`[${diagnostic.code}]`)}`,
    ...indent(showControls(diagnostic.message)),
  ];
  if (diagnostic.source.text !== '') lines.push(...snippet(diagnostic.source, diagnostic.range, paint, columns));
  if (diagnostic.suggestion !== undefined) lines.push(...labelled(paint.cyan('help'), 'help'.length, showControls(diagnostic.suggestion)));
  return lines.join('\n');
}

function indent(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`);
}

function labelled(label: string, width: number, text: string): string[] {
  return text.split('\n').map((line, index) => (index === 0 ? `  ${label}: ${line}` : `  ${' '.repeat(width + 2)}${line}`.trimEnd()));
}

/** `2 errors, 1 warning in 3 files` */
export function countLine(diagnostics: readonly Diagnostic[], files: number): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
  const warnings = diagnostics.length - errors;
  if (diagnostics.length === 0) return `no problems in ${plural(files, 'file')}`;
  const parts = [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : ''];
  return `${parts.filter((part) => part !== '').join(', ')} in ${plural(files, 'file')}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
