import { type Diagnostic, type Plan, parseYaml, type SourceText } from '@relavium/engine';
import type { InputProblem } from './gather-inputs.js';

/** Refused inputs as findings about the workflow: each points at the declaration that says what was expected. */
export function inputDiagnostics(plan: Plan, source: SourceText, problems: readonly InputProblem[]): readonly Diagnostic[] {
  const document = parseYaml(source).document;
  const findings = problems.map(({ input, message }): Diagnostic => {
    const declared = plan.inputs.findIndex(({ name }) => name === input);
    const path = declared < 0 ? ['workflow', 'inputs'] : ['workflow', 'inputs', declared, 'name'];
    return {
      code: 'validation',
      severity: 'error',
      message,
      source,
      range: document?.rangeOf(path, declared < 0 ? 'key' : 'value') ?? { start: 0, end: 0 },
    };
  });
  return findings.sort((a, b) => a.range.start - b.range.start);
}
