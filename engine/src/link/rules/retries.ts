import { retryOnPure } from '../../diagnostics/catalogue/graph.js';
import type { LinkContext } from '../link-context.js';
import type { LinkedNode } from '../model.js';
import type { Rule } from '../rule.js';

/** Nodes that only compute fail the same way each time. */
export const retriesRule: Rule = (context, workflow) => {
  for (const scope of workflow.scopes) {
    for (const node of scope.nodes) {
      const { syntax } = node;
      if (!('retry' in syntax) || syntax.retry === undefined || !isPure(node)) continue;
      const fix = { range: withSeparator(context, [...node.at, 'retry']), text: '' };
      context.report(retryOnPure, { path: [...node.at, 'retry'], what: 'key' }, { type: syntax.type }, { fix });
    }
  }
};

function isPure({ syntax }: LinkedNode): boolean {
  if (syntax.type === 'output') return syntax.save_to === undefined;
  return (
    syntax.type === 'transform' ||
    syntax.type === 'condition' ||
    syntax.type === 'merge' ||
    syntax.type === 'fail' ||
    syntax.type === 'wait'
  );
}

/** The entry with what separates it from the one before: a comma in a flow map, the line in a block map. */
function withSeparator(context: LinkContext, path: LinkedNode['at']): { start: number; end: number } {
  const { text } = context.document.source;
  const range = context.document.extentOf(path);
  let start = range.start;
  while (start > 0 && /[ \t\r\n]/.test(text[start - 1] as string)) start -= 1;
  if (text[start - 1] === ',') return { start: start - 1, end: range.end };
  return { start: /[\n]/.test(text.slice(start, range.start)) ? start : range.start, end: range.end };
}
