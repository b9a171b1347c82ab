/** One line of a corpus, whatever its area. */
export interface Case {
  readonly id: string;
  readonly area: string;
  readonly input: unknown;
  readonly context: CaseContext;
  readonly expect: unknown;
}

/** What every area's context may hold, and keys of its own. */
export interface CaseContext {
  /** How firm the expectation is; absent: firm. */
  readonly basis?: 'derived' | 'optional';
  readonly max_ms?: number;
  readonly generator?: unknown;
  readonly [key: string]: unknown;
}

/** What became of a case. `expected` and `found` are for people. */
export type Verdict =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly expected: string; readonly found: string }
  | { readonly outcome: 'skipped'; readonly reason: string };

export const passed: Verdict = { outcome: 'passed' };

export function failed(expected: string, found: unknown): Verdict {
  return { outcome: 'failed', expected, found: typeof found === 'string' ? found : show(found) };
}

/** `passed` if the condition holds. */
export function verdict(holds: boolean, expected: string, found: unknown): Verdict {
  return holds ? passed : failed(expected, found);
}

/** A value on one line, short enough to read. */
export function show(value: unknown): string {
  const text = value === undefined ? 'undefined' : (JSON.stringify(value) ?? String(value));
  return text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text;
}

/** Judges one case by calling the product's own functions. A thrown error counts as a failure of the case. */
export type Judge = (testCase: Case, options: JudgeOptions) => Verdict | Promise<Verdict>;

export interface JudgeOptions {
  /** Where tools and time come from, in areas that can do with either. */
  readonly host: 'node' | 'memory';
}
