import { cycle } from '../../diagnostics/catalogue/graph.js';
import type { LinkedEdge, LinkedNode, LinkedScope } from '../model.js';
import type { Rule } from '../rule.js';
import { cycles } from '../topology.js';

/** A circle of edges; told as a chain from the node that is listed first, at the edge that closes it. */
export const cyclesRule: Rule = (context, workflow) => {
  for (const scope of workflow.scopes) {
    for (const nodes of cycles(scope)) {
      const chain = [...nodes, nodes[0] as number].map((index) => (scope.nodes[index] as LinkedNode).id);
      context.report(cycle, { path: closingEdge(scope, nodes).at }, { chain });
    }
  }
};

function closingEdge(scope: LinkedScope, nodes: readonly number[]): LinkedEdge {
  const from = nodes.at(-1);
  const to = nodes[0];
  const index = (scope.nodes[from as number] as LinkedNode).out.find((out) => scope.edges[out]?.to === to) as number;
  return scope.edges[index] as LinkedEdge;
}
