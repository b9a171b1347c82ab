import { validation } from '../../diagnostics/catalogue/schema.js';
import { shown } from '../../diagnostics/shown.js';
import { parseInstant } from '../../validate/parse-instant.js';
import type { Rule } from '../rule.js';

/** An instant that is written out is judged before anything waits for it. */
export const waitsRule: Rule = (context, workflow) => {
  for (const { nodes } of workflow.scopes) {
    for (const { syntax, at } of nodes) {
      if (syntax.type !== 'wait' || syntax.until === undefined || syntax.until.includes('{{') || parseInstant(syntax.until) !== undefined)
        continue;
      context.report(
        validation,
        { path: [...at, 'until'] },
        { what: `${shown(syntax.until)} is no instant with a zone, such as 2030-01-31T08:00:00Z` },
      );
    }
  }
};
