import { parallelLoop } from '../../diagnostics/catalogue/graph.js';
import type { Rule } from '../rule.js';
import { isParallel } from '../sites.js';

/** until and while look at the iteration before, so they need loops that run one at a time. */
export const loopsRule: Rule = (context, workflow) => {
  for (const scope of workflow.scopes) {
    for (const node of scope.nodes) {
      if (node.syntax.type !== 'loop' || !isParallel(node.syntax)) continue;
      for (const key of ['until', 'while', 'initial'] as const) {
        if (node.syntax[key] !== undefined) context.report(parallelLoop, { path: [...node.at, key], what: 'key' }, { what: `"${key}"` });
      }
    }
  }
};
