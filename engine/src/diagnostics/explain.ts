import { catalogue, catalogueEntry } from './catalogue.js';
import type { Severity } from './entry.js';
import { nearName } from './near-name.js';
import { runCodes } from './run-codes.js';

/** What a code means, for people. A code may be a finding of lint, an error of a run, or both. */
export interface Explanation {
  readonly code: string;
  readonly kind: 'diagnostic' | 'run_error';
  readonly severity: Severity;
  readonly title: string;
  readonly explanation: string;
  readonly wrong: string;
  readonly right: string;
}

export type Explained =
  | { readonly ok: true; readonly explanations: readonly Explanation[] }
  | { readonly ok: false; readonly near?: string };

export function explain(code: string): Explained {
  const explanations: Explanation[] = [];
  const entry = catalogueEntry(code);
  if (entry !== undefined) {
    const { severity, title, explanation, wrong, right } = entry;
    explanations.push({ code, kind: 'diagnostic', severity, title, explanation, wrong, right });
  }
  const run = runCodes.find((candidate) => candidate.code === code);
  if (run !== undefined) {
    const { title, explanation, wrong, right } = run;
    explanations.push({ code, kind: 'run_error', severity: 'error', title, explanation, wrong, right });
  }
  if (explanations.length > 0) return { ok: true, explanations };
  const near = nearName(code, explainableCodes());
  return near === undefined ? { ok: false } : { ok: false, near };
}

/** Every code that `explain` knows, sorted. */
export function explainableCodes(): readonly string[] {
  const codes = [...catalogue.flatMap((group) => group.entries.map((entry) => entry.code)), ...runCodes.map((run) => run.code)];
  return [...new Set(codes)].sort();
}
