import { invalidPattern, invalidSchema, riskyPattern } from '../../diagnostics/catalogue/schema.js';
import { shown } from '../../diagnostics/shown.js';
import type { Json } from '../../json.js';
import type { Path, YamlDocument } from '../../parse/yaml-document.js';
import { schemaReport } from '../json-schema-problems.js';
import type { LinkContext } from '../link-context.js';
import { isRiskyPattern, patternProblem } from '../pattern-problem.js';
import type { Rule } from '../rule.js';

/** Every JSON Schema and every pattern that authors wrote. */
export const jsonSchemasRule: Rule = (context, workflow) => {
  workflow.syntax.inputs?.forEach((input, index) => {
    const at: Path = ['workflow', 'inputs', index, 'validation'];
    if (input.type === 'json') checkSchema(context, input.validation?.schema, [...at, 'schema']);
    else if (
      'validation' in input &&
      input.validation !== undefined &&
      'pattern' in input.validation &&
      input.validation.pattern !== undefined
    ) {
      checkPattern(context, input.validation.pattern, { path: [...at, 'pattern'] });
    }
  });
  workflow.syntax.tools?.declarations?.forEach((declaration, index) => {
    if (declaration.type === 'http')
      checkSchema(context, declaration.parameters, ['workflow', 'tools', 'declarations', index, 'parameters']);
  });
  for (const scope of workflow.scopes) {
    for (const { syntax, at } of scope.nodes) {
      if ('output_schema' in syntax) checkSchema(context, syntax.output_schema, [...at, 'output_schema']);
      if ('input_schema' in syntax) checkSchema(context, syntax.input_schema, [...at, 'input_schema']);
    }
  }
  for (const { syntax, at, document } of new Set(workflow.agents.values())) {
    checkSchema(context, syntax.input_schema, [...at, 'input_schema'], document);
    checkSchema(context, syntax.output_schema, [...at, 'output_schema'], document);
  }
};

export function checkSchema(context: LinkContext, schema: unknown, at: Path, document?: YamlDocument): void {
  if (schema === undefined) return;
  const owner = document === undefined ? {} : { document };
  const { problems, patterns } = schemaReport(schema as Json);
  for (const problem of problems) context.report(invalidSchema, { path: [...at, ...problem.at], ...owner }, { what: problem.what });
  for (const pattern of patterns) {
    checkPattern(context, pattern.pattern, { path: [...at, ...pattern.at], what: pattern.isKey ? 'key' : 'value', ...owner });
  }
}

function checkPattern(context: LinkContext, pattern: string, place: { path: Path; what?: 'key' | 'value'; document?: YamlDocument }): void {
  const problem = patternProblem(pattern);
  if (problem !== undefined) context.report(invalidPattern, place, { pattern: shown(pattern), problem });
  else if (isRiskyPattern(pattern)) context.report(riskyPattern, place, { pattern: shown(pattern) });
}
