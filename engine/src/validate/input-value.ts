import type { Input } from '@relavium/schemas';
import { shown } from '../diagnostics/shown.js';
import type { Json } from '../json.js';
import { misfit } from '../json-limits.js';
import { checkValue } from './check-value.js';
import { linearPattern } from './linear-pattern.js';

type TextRules = {
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly min_length?: number;
  readonly max_length?: number;
};

/** Why a value is refused for an input; undefined: it is taken. The value itself is never told for a secret. */
export function inputProblem(input: Input, value: Json): string | undefined {
  switch (input.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrongType('true or false', value);
    case 'number':
      return numberProblem(input.validation, value);
    case 'json':
      return jsonProblem(input.validation?.schema as Json | undefined, value);
    case 'secret':
      if (typeof value !== 'string') return 'is to be text';
      return textProblem(input.validation, value);
    case 'string':
    case 'file_path':
    case 'code_diff':
      return typeof value === 'string' ? textProblem(input.validation, value) : wrongType('text', value);
    default:
      return input satisfies never;
  }
}

function wrongType(wanted: string, value: Json): string {
  const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : shown(value);
  return `is to be ${wanted}, and is ${found}`;
}

function numberProblem(
  rules: { readonly min?: number; readonly max?: number; readonly enum?: readonly number[] } = {},
  value: Json,
): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType('a number', value);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return `is to be exact, and ${value} is beyond 2^53`;
  if (rules.min !== undefined && value < rules.min) return `is to be ${rules.min} at least, and is ${value}`;
  if (rules.max !== undefined && value > rules.max) return `is to be ${rules.max} at most, and is ${value}`;
  if (rules.enum !== undefined && !rules.enum.includes(value)) return `is to be one of ${rules.enum.join(', ')}, and is ${value}`;
  return undefined;
}

function jsonProblem(schema: Json | undefined, value: Json): string | undefined {
  const unfit = misfit(value);
  if (unfit !== undefined) return `is ${unfit}`;
  if (schema === undefined) return undefined;
  const problems = checkValue(schema, value);
  return problems.length === 0 ? undefined : `does not meet its schema: ${problems.join('; ')}`;
}

function textProblem(rules: TextRules = {}, value: string): string | undefined {
  const length = [...value].length;
  if (rules.min_length !== undefined && length < rules.min_length)
    return `is to have ${rules.min_length} characters at least, and has ${length}`;
  if (rules.max_length !== undefined && length > rules.max_length)
    return `is to have ${rules.max_length} characters at most, and has ${length}`;
  if (rules.enum !== undefined && !rules.enum.includes(value)) return `is to be one of ${rules.enum.join(', ')}, and is ${shown(value)}`;
  if (rules.format !== undefined && checkValue({ format: rules.format }, value).length > 0) return `is not of the format ${rules.format}`;
  if (rules.pattern !== undefined && !linearPattern(rules.pattern).test(value)) return `does not match the pattern ${shown(rules.pattern)}`;
  return undefined;
}
