import type { Expression } from '../expression/expression.js';
import type { LinkedWorkflow } from '../link/model.js';
import type { Parses } from '../link/parses.js';
import type { Template } from '../template/template.js';
import type { Mapping } from './plan.js';

export interface Build {
  readonly workflow: LinkedWorkflow;
  readonly parses: Parses;
}

/** The text was parsed without a mistake before, or there would be no plan. */
export function expression(build: Build, text: string): Expression {
  const parsed = build.parses.expression(text);
  if ('error' in parsed) throw new Error('a plan was asked for although an expression cannot be read');
  return parsed.expression;
}

export function template(build: Build, text: string): Template {
  const parsed = build.parses.template(text);
  if ('error' in parsed) throw new Error('a plan was asked for although a template cannot be read');
  return parsed.template;
}

export function mapping(build: Build, given: Readonly<Record<string, string>> = {}): Mapping {
  return Object.entries(given).map(([name, text]) => [name, expression(build, text)] as const);
}
