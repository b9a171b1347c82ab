import { type Diagnostic, type Plan, parseYaml, type SourceText } from '@relavium/engine';
import type { InputProblem } from './gather-inputs.js';

/** Refused inputs as findings about the workflow: each points at the declaration that says what was expected. */
export function inputDiagnostics(plan: Plan, source: SourceText, problems: readonly InputProblem[]): readonly Diagnostic[] {
  const document = parseYaml(source).document;
  const findings = problems.map(({ input, message }): Diagnostic => {
    const { path, what } = declarationOf(plan, input);
    return { code: 'validation', severity: 'error', message, source, range: document?.rangeOf(path, what) ?? { start: 0, end: 0 } };
  });
  return findings.sort((a, b) => a.range.start - b.range.start);
}

/** A context entry is named `context.key`; names of inputs hold no dot. What is not declared belongs to the list of inputs. */
function declarationOf(
  plan: Plan,
  name: string | undefined,
): { readonly path: readonly (string | number)[]; readonly what: 'key' | 'value' } {
  const entry = plan.context.findIndex(({ key }) => `context.${key}` === name);
  if (entry >= 0) return { path: ['workflow', 'context', entry, 'key'], what: 'value' };
  const input = plan.inputs.findIndex((declared) => declared.name === name);
  return input >= 0 ? { path: ['workflow', 'inputs', input, 'name'], what: 'value' } : { path: ['workflow', 'inputs'], what: 'key' };
}
