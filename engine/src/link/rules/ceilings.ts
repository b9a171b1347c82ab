import { tooMany } from '../../diagnostics/catalogue/schema.js';
import { MAX_EDGES, MAX_NODES } from '../../plan/ceilings.js';
import type { Rule } from '../rule.js';

/** Sizes that only show when loop bodies are counted with the rest. */
export const ceilingsRule: Rule = (context, workflow) => {
  const nodes = workflow.scopes.reduce((sum, scope) => sum + scope.nodes.length, 0);
  const edges = workflow.scopes.reduce((sum, scope) => sum + scope.edges.length, 0);
  if (nodes > MAX_NODES)
    context.report(tooMany, { path: ['workflow', 'nodes'], what: 'key' }, { what: 'nodes', count: nodes, limit: MAX_NODES });
  if (edges > MAX_EDGES)
    context.report(tooMany, { path: ['workflow', 'edges'], what: 'key' }, { what: 'edges', count: edges, limit: MAX_EDGES });
};
