import type { Plan, PlanNode, ScopePlan } from '@relavium/engine';

/** All nodes of a workflow, those inside loops and child workflows included, in the order of the files. */
export function everyNode(plan: Plan): readonly PlanNode[] {
  return [plan, ...Object.values(plan.children)].flatMap(({ root }) => nodesIn(root));
}

function nodesIn(scope: ScopePlan): readonly PlanNode[] {
  return scope.nodes.flatMap((node) => (node.type === 'loop' ? [node, ...nodesIn(node.body)] : [node]));
}
