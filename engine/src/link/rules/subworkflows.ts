import { unresolvedReference } from '../../diagnostics/catalogue/reference.js';
import { missingArgument } from '../../diagnostics/catalogue/tools.js';
import { nameAdvice, replacing } from '../name-advice.js';
import type { Rule } from '../rule.js';

/** What a parent hands to its child must be inputs of the child, and what the child requires must be handed over. */
export const subworkflowsRule: Rule = (context, workflow) => {
  for (const scope of workflow.scopes) {
    for (const node of scope.nodes) {
      if (node.syntax.type !== 'subworkflow') continue;
      const child = workflow.children.get(node.syntax.workflow);
      if (child === undefined) continue;
      const mapping = node.syntax.input_mapping ?? {};
      for (const name of Object.keys(mapping)) {
        if (child.inputs.has(name)) continue;
        const path = [...node.at, 'input_mapping', name];
        const free = (): readonly string[] => [...child.inputs.keys()].filter((one) => mapping[one] === undefined);
        const advice = nameAdvice(context, name, free, { fix: replacing(context.document, path, 'key') });
        context.report(
          unresolvedReference,
          { path, what: 'key' },
          { what: `input of ${node.syntax.workflow} with the name`, name },
          advice,
        );
      }
      for (const input of child.inputs.values()) {
        const hasDefault = 'default' in input && input.default !== undefined;
        if (input.required !== true || hasDefault || mapping[input.name] !== undefined) continue;
        const what = `${node.syntax.workflow} requires the input "${input.name}", and input_mapping does not give it`;
        context.report(missingArgument, { path: [...node.at, 'workflow'] }, { what });
      }
    }
  }
};
