import { lockConflict } from '../../diagnostics/catalogue/graph.js';
import type { LinkedNode, LinkedWorkflow } from '../model.js';
import type { Rule } from '../rule.js';

/** A lock that is taken inside what holds it already would wait for itself. */
export const locksRule: Rule = (context, workflow) => {
  for (const scope of workflow.scopes) {
    for (const node of scope.nodes) {
      const lock = lockOf(node);
      if (lock === undefined) continue;
      const outer = holderAround(node, lock);
      if (outer !== undefined) context.report(lockConflict, { path: [...node.at, 'lock'] }, { lock, outer: outer.id });
      const child = node.syntax.type === 'subworkflow' ? workflow.children.get(node.syntax.workflow) : undefined;
      if (child !== undefined && takes(child, lock, new Set())) {
        context.report(
          lockConflict,
          { path: [...node.at, 'lock'] },
          { lock, outer: node.id },
          { suggestion: `${child.document.source.path} takes it too` },
        );
      }
    }
  }
};

function lockOf(node: LinkedNode): string | undefined {
  return 'lock' in node.syntax ? node.syntax.lock : undefined;
}

function holderAround(node: LinkedNode, lock: string): LinkedNode | undefined {
  for (let outer = node.scope.owner; outer !== undefined; outer = outer.scope.owner) if (lockOf(outer) === lock) return outer;
  return undefined;
}

function takes(workflow: LinkedWorkflow, lock: string, seen: Set<LinkedWorkflow>): boolean {
  if (seen.has(workflow)) return false;
  seen.add(workflow);
  const own = workflow.scopes.some((scope) => scope.nodes.some((node) => lockOf(node) === lock));
  return own || [...workflow.children.values()].some((child) => takes(child, lock, seen));
}
