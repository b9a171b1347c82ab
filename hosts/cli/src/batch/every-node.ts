import type { Plan, PlanNode, ScopePlan } from '@relavium/engine';

/** A node, and the workflow file that it stands in. */
export interface PlacedNode {
  readonly node: PlanNode;
  readonly file: string;
}

/** All nodes of a workflow, those inside loops and child workflows included, in the order of the files. */
export function everyNode(plan: Plan): readonly PlacedNode[] {
  return [plan, ...Object.values(plan.children)].flatMap(({ root, file }) => nodesIn(root).map((node) => ({ node, file })));
}

function nodesIn(scope: ScopePlan): readonly PlanNode[] {
  return scope.nodes.flatMap((node) => (node.type === 'loop' ? [node, ...nodesIn(node.body)] : [node]));
}
