import type { Diagnostic, SourceText } from '@relavium/engine';
import type { ConfigFile } from '@relavium/schemas';
import { homeOnlyConfigKeys, validateConfig } from '@relavium/schemas/config';
import { parse, TomlError } from 'smol-toml';
import { tomlPositions } from './toml-positions.js';

/** A finding about a configuration file. */
export type ConfigProblem = Diagnostic;

export interface ParsedConfig {
  /** Empty if there is a problem: half a configuration is none. */
  readonly config: ConfigFile;
  readonly problems: readonly ConfigProblem[];
}

/** The text of a configuration file, checked for syntax, shape, and for what only the person's own file may say. */
export function parseConfig(source: SourceText, place: 'project' | 'home'): ParsedConfig {
  const problem = (code: string, message: string, range: { readonly start: number; readonly end: number }): ConfigProblem => ({
    code,
    severity: 'error',
    message,
    source,
    range,
  });

  let value: Readonly<Record<string, unknown>>;
  try {
    value = parse(source.text) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const at = offsetOf(source.text, error.line, error.column);
    return { config: {}, problems: [problem('syntax', `this is not valid TOML: ${firstLine(error.message)}`, { start: at, end: at + 1 })] };
  }

  const positions = tomlPositions(source.text);
  const checked = validateConfig(value);
  const problems: ConfigProblem[] = [];
  if (!checked.ok) {
    for (const issue of checked.issues) {
      const owner = pointerPath(issue.instancePath);
      const extra = issue.params.additionalProperty;
      const path = typeof extra === 'string' ? [...owner, extra] : owner;
      const name = path.length === 0 ? 'the file' : path.join('.');
      const isUnknown = issue.keyword === 'additionalProperties';
      const allowed = Array.isArray(issue.params.allowedValues) ? `: ${issue.params.allowedValues.join(', ')}` : '';
      problems.push(
        problem(
          isUnknown ? 'unknown_key' : 'validation',
          isUnknown ? `unknown key ${name}` : `${name} ${issue.message}${allowed}`,
          positions.rangeOf(path),
        ),
      );
    }
  }
  if (place === 'project') {
    for (const key of homeOnlyConfigKeys) {
      if (Object.hasOwn(value, key)) {
        problems.push(
          problem('validation', `${key} is for the person to decide: only ~/.relavium/config.toml may have it`, positions.rangeOf([key])),
        );
      }
    }
  }
  return problems.length === 0 && checked.ok ? { config: checked.value, problems: [] } : { config: {}, problems };
}

/** Line and column count from 1, as the TOML parser gives them. */
function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let current = 1; current < line; current++) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return Math.max(0, Math.min(start + column - 1, text.length - 1));
}

/** The parser's message without its own picture of the place. */
function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/^Invalid TOML document: /, '') ?? '';
}

function pointerPath(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
