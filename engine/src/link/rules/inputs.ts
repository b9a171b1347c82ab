import type { Input, NumberInput, StringInput } from '@relavium/schemas';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { validation } from '../../diagnostics/catalogue/schema.js';
import { shown } from '../../diagnostics/shown.js';
import type { Path } from '../../parse/yaml-document.js';
import { linearPattern } from '../../validate/linear-pattern.js';
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

function defaultProblem(input: Input): string | undefined {
  if (input.type === 'number') return numberProblem(input);
  if (input.type === 'string' || input.type === 'file_path' || input.type === 'code_diff') return textProblem(input);
  return undefined;
}

function numberProblem({ default: value, validation: rules = {} }: NumberInput): string | undefined {
  if (value === undefined) return undefined;
  if (rules.min !== undefined && value < rules.min) return `is below min ${rules.min}`;
  if (rules.max !== undefined && value > rules.max) return `is above max ${rules.max}`;
  if (rules.enum !== undefined && !rules.enum.includes(value)) return `is not one of ${rules.enum.join(', ')}`;
  return undefined;
}

function textProblem({ default: value, validation: rules = {} }: Pick<StringInput, 'default' | 'validation'>): string | undefined {
  if (value === undefined) return undefined;
  const length = [...value].length;
  if (rules.min_length !== undefined && length < rules.min_length) return `is shorter than min_length ${rules.min_length}`;
  if (rules.max_length !== undefined && length > rules.max_length) return `is longer than max_length ${rules.max_length}`;
  if (rules.enum !== undefined && !rules.enum.includes(value)) return `is not one of ${rules.enum.map(shown).join(', ')}`;
  if (rules.format !== undefined && !hasFormat(rules.format, value)) return `is no ${rules.format}`;
  if (rules.pattern !== undefined && patternProblem(rules.pattern) === undefined && !linearPattern(rules.pattern).test(value)) {
    return `does not match the pattern ${shown(rules.pattern)}`;
  }
  return undefined;
}

function hasFormat(name: keyof typeof fullFormats, value: string): boolean {
  const format = fullFormats[name] as unknown;
  if (format instanceof RegExp) return format.test(value);
  if (typeof format === 'function') return (format as (text: string) => boolean)(value);
  const validate = (format as { validate?: unknown } | undefined)?.validate;
  return typeof validate === 'function' ? (validate as (text: string) => boolean)(value) : true;
}
