import type { Plan, PlanNode, ScopePlan } from '@relavium/engine';

/** The plan of the node at a path such as `each[2].step` or `child/step`. */
export function planNode(plan: Plan, path: string): PlanNode {
  let scope: ScopePlan = plan.root;
  let node: PlanNode | undefined;
  for (const part of path.split(/[./]/)) {
    const id = part.replace(/\[\d+\]$/, '');
    node = scope.nodes.find((each) => each.id === id);
    if (node?.type === 'loop') scope = node.body;
    if (node?.type === 'subworkflow') scope = plan.children[node.child]!.root;
  }
  if (node === undefined) throw new Error(`no node at ${path}`);
  return node;
}
