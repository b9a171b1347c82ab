import type { Input } from '@relavium/schemas';
import { validation } from '../../diagnostics/catalogue/schema.js';
import type { Json } from '../../json.js';
import type { Path } from '../../parse/yaml-document.js';
import { inputProblem } from '../../validate/input-value.js';
import { schemaReport } from '../json-schema-problems.js';
import type { LinkContext } from '../link-context.js';
import { patternProblem } from '../pattern-problem.js';
import type { Rule } from '../rule.js';

/** Inputs whose own rules exclude each other, or exclude the default. */
export const inputsRule: Rule = (context, workflow) => {
  workflow.syntax.inputs?.forEach((input, index) => {
    const at: Path = ['workflow', 'inputs', index];
    const bounds = boundsProblem(input);
    if (bounds !== undefined) report(context, [...at, 'validation', bounds.key], bounds.what);
    const problem = bounds === undefined ? defaultProblem(input) : undefined;
    if (problem !== undefined) report(context, [...at, 'default'], `the default of "${input.name}" ${problem}`);
  });
};

function report(context: LinkContext, path: Path, what: string): void {
  context.report(validation, { path }, { what });
}

function boundsProblem(input: Input): { key: string; what: string } | undefined {
  if (input.type === 'number') {
    const { min, max } = input.validation ?? {};
    if (min !== undefined && max !== undefined && min > max) return { key: 'min', what: `min ${min} is above max ${max}` };
  } else if (input.type !== 'boolean' && input.type !== 'json') {
    const { min_length: min, max_length: max } = input.validation ?? {};
    if (min !== undefined && max !== undefined && min > max)
      return { key: 'min_length', what: `min_length ${min} is above max_length ${max}` };
  }
  return undefined;
}

/** Why the default would be refused; a schema or a pattern that cannot be used has a finding of its own. */
function defaultProblem(input: Input): string | undefined {
  const value = 'default' in input ? (input.default as Json | undefined) : undefined;
  return value === undefined || !hasUsableRules(input) ? undefined : inputProblem(input, value);
}

function hasUsableRules(input: Input): boolean {
  if (input.type === 'boolean' || input.type === 'number') return true;
  if (input.type !== 'json') {
    const pattern = input.validation?.pattern;
    return pattern === undefined || patternProblem(pattern) === undefined;
  }
  const schema = input.validation?.schema;
  if (schema === undefined) return true;
  const { problems, patterns } = schemaReport(schema as Json);
  return problems.length === 0 && patterns.every(({ pattern }) => patternProblem(pattern) === undefined);
}
