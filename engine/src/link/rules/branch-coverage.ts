import type { ConditionNode, Input } from '@relavium/schemas';
import { branchCoverage } from '../../diagnostics/catalogue/graph.js';
import { shown } from '../../diagnostics/shown.js';
import type { LinkContext } from '../link-context.js';
import type { LinkedWorkflow } from '../model.js';
import type { Rule } from '../rule.js';

/** A condition without default whose branches leave out a value that can come. */
export const branchCoverageRule: Rule = (context, workflow) => {
  for (const scope of workflow.scopes) {
    for (const node of scope.nodes) {
      if (node.syntax.type !== 'condition' || node.syntax.default !== undefined) continue;
      const missing = missingValue(context, workflow, node.syntax);
      if (missing !== undefined)
        context.report(branchCoverage, { path: [...node.at, 'branches'], what: 'key' }, { node: node.id, missing });
    }
  }
};

function missingValue(context: LinkContext, workflow: LinkedWorkflow, condition: ConditionNode): string | undefined {
  const whens = condition.branches.map((branch) => branch.when);
  const possible = inputValues(context, workflow, condition.expression);
  if (possible !== undefined) {
    const missing = possible.filter((value) => !whens.includes(value));
    return missing.length === 0 ? undefined : missing.map(shown).join(', ');
  }
  if (whens.every((when) => typeof when === 'boolean')) {
    const missing = [true, false].filter((value) => !whens.includes(value));
    return missing.length === 0 ? undefined : String(missing[0]);
  }
  return 'any other value';
}

/** All values of an input that the expression is nothing but, where they can be listed. */
function inputValues(
  context: LinkContext,
  workflow: LinkedWorkflow,
  expression: string,
): readonly (boolean | string | number)[] | undefined {
  const parsed = context.parses.expression(expression);
  const plain = 'error' in parsed ? undefined : parsed.expression.plain;
  if (plain?.kind !== 'path' || plain.root !== 'inputs' || plain.steps.length !== 1) return undefined;
  const input = workflow.inputs.get(plain.steps[0]?.key ?? '');
  return input === undefined ? undefined : valuesOf(input);
}

function valuesOf(input: Input): readonly (boolean | string | number)[] | undefined {
  if (input.type === 'boolean') return [true, false];
  const validation = 'validation' in input ? input.validation : undefined;
  return validation !== undefined && 'enum' in validation ? validation.enum : undefined;
}
