import type { Range, SourceText } from '../source/source-text.js';
import type { Entry, Severity } from './entry.js';

/** One finding about a file. Offsets inside; line and column are made by whoever prints it. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly source: SourceText;
  readonly range: Range;
  /** What to write instead, in words. */
  readonly suggestion?: string;
  /** A replacement that mends it without changing anything else. */
  readonly fix?: Fix;
}

export interface Fix {
  readonly range: Range;
  readonly text: string;
}

/** What a finding may carry besides its message. */
export interface Advice {
  readonly suggestion?: string | undefined;
  readonly fix?: Fix | undefined;
}

export function diagnose<Data>(entry: Entry<Data>, source: SourceText, range: Range, data: Data, advice: Advice = {}): Diagnostic {
  return {
    code: entry.code,
    severity: entry.severity,
    message: entry.message(data),
    source,
    range,
    ...(advice.suggestion === undefined ? {} : { suggestion: advice.suggestion }),
    ...(advice.fix === undefined ? {} : { fix: advice.fix }),
  };
}
