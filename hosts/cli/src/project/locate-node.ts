import type { Plan, PlanNode, ScopePlan } from '@relavium/engine';

/** A node in the file that describes it. */
export interface LocatedNode {
  readonly file: string;
  readonly node: PlanNode;
}

/**
 * The plan node behind the path of a running one: `each[2].step` is `step` in the body of `each`, `child/step` is `step` in the
 * workflow that `child` runs. A path that leads further than the plan gives the last node that it names.
 */
export function locateNode(plan: Plan, path: string): LocatedNode | undefined {
  let scope: ScopePlan = plan.root;
  let workflow = plan;
  let found: LocatedNode | undefined;
  for (const part of path.split(/[./]|\[\d+\]/).filter((id) => id !== '')) {
    const node = scope.nodes.find((candidate) => candidate.id === part);
    if (node === undefined) return found;
    found = { file: workflow.file, node };
    if (node.type === 'loop') scope = node.body;
    else if (node.type === 'subworkflow') {
      const child: Plan | undefined = plan.children[node.child];
      if (child === undefined) return found;
      workflow = child;
      scope = child.root;
    }
  }
  return found;
}
