import type { Range } from '@relavium/engine';

/** Where a key path stands in a TOML text; a path that is not written gives the nearest owner that is, else the first line. */
export interface TomlPositions {
  rangeOf(path: readonly (string | number)[]): Range;
}

/**
 * Finds the keys of a text that the TOML parser has accepted. The parser gives no positions, so this reads the lines once more:
 * table heads and the keys of statements, which is all that a finding has to point at. Keys inside inline tables belong to their
 * statement.
 */
export function tomlPositions(text: string): TomlPositions {
  const ranges = new Map<string, Range>();
  const note = (path: readonly (string | number)[], range: Range): void => {
    for (let length = path.length; length > 0; length--) {
      const key = JSON.stringify(path.slice(0, length));
      if (ranges.has(key)) return;
      ranges.set(key, range);
    }
  };
  const tables = new Map<string, number>();
  let table: readonly (string | number)[] = [];
  for (const statement of statements(text)) {
    if (statement.kind === 'table') table = withIndexes(statement.keys, statement.isArray, tables);
    note(statement.kind === 'table' ? table : [...table, ...statement.keys], statement.range);
  }
  return {
    rangeOf(path) {
      for (let length = path.length; length > 0; length--) {
        const range = ranges.get(JSON.stringify(path.slice(0, length)));
        if (range !== undefined) return range;
      }
      const end = text.indexOf('\n');
      return { start: 0, end: end < 0 ? text.length : end };
    },
  };
}

interface Statement {
  readonly kind: 'table' | 'value';
  readonly keys: readonly string[];
  readonly isArray: boolean;
  readonly range: Range;
}

/** `[[plugins]]` is the next element of a list; `[plugins.options]` after it belongs to the last one. */
function withIndexes(keys: readonly string[], isArray: boolean, lengths: Map<string, number>): readonly (string | number)[] {
  const path: (string | number)[] = [];
  keys.forEach((key, position) => {
    path.push(key);
    const name = JSON.stringify(path);
    const length = lengths.get(name);
    if (isArray && position === keys.length - 1) {
      lengths.set(name, (length ?? 0) + 1);
      path.push(length ?? 0);
    } else if (length !== undefined) path.push(length - 1);
  });
  return path;
}

const blank = /[ \t\r\n]+/y;
const comment = /#[^\n]*/y;
const key = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+/y;
const dot = /[ \t]*\.[ \t]*/y;
/** The longest tokens of a value that can hide a bracket, a comment sign or a line end. */
const valueToken = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[^"'#[\]{}\n]+|[[\]{}\n]/y;

function* statements(text: string): Generator<Statement> {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    if (match !== undefined) at += match.length;
    return match;
  };
  const keys = (): string[] => {
    const found: string[] = [];
    for (let next = take(key); next !== undefined; next = take(dot) === undefined ? undefined : take(key)) found.push(unquoted(next));
    return found;
  };
  while (at < text.length) {
    if (take(blank) !== undefined || take(comment) !== undefined) continue;
    const start = at;
    if (text[at] === '[') {
      const isArray = text[at + 1] === '[';
      at += isArray ? 2 : 1;
      take(blank);
      const named = keys();
      take(blank);
      at += isArray ? 2 : 1;
      yield { kind: 'table', keys: named, isArray, range: { start, end: at } };
      continue;
    }
    const named = keys();
    if (named.length === 0) return;
    const range = { start, end: at };
    skipValue();
    yield { kind: 'value', keys: named, isArray: false, range };
  }

  /** To the end of the line on which the value ends. */
  function skipValue(): void {
    let depth = 0;
    for (let token = take(valueToken); token !== undefined; token = take(valueToken)) {
      if (token === '[' || token === '{') depth++;
      else if (token === ']' || token === '}') depth--;
      else if (token === '\n' && depth <= 0) return;
    }
  }
}

function unquoted(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  if (!text.startsWith('"')) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}
