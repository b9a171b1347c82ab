import { unknownNode } from '../../diagnostics/catalogue/graph.js';
import { gateRequired } from '../../diagnostics/catalogue/tools.js';
import type { LinkContext } from '../link-context.js';
import type { LinkedNode, LinkedScope } from '../model.js';
import { nameAdvice, replacing } from '../name-advice.js';
import type { Rule } from '../rule.js';

/** A commit needs a person's approval in the same run, on whatever way it is reached. */
export const gatesRule: Rule = (context, workflow) => {
  for (const scope of workflow.scopes) {
    const gates = scope.nodes.filter((node) => node.syntax.type === 'human_gate');
    for (const gate of gates) checkApproves(context, scope, gate);
    const commits = scope.nodes.filter((node) => node.syntax.type === 'tool' && node.syntax.tool === 'git_commit');
    if (commits.length === 0) continue;
    const passed = approvalsBefore(scope, gates);
    for (const commit of commits) {
      if (passed(commit)) continue;
      context.report(gateRequired, { path: [...commit.at, 'tool'] }, { node: commit.id });
    }
  }
};

function checkApproves(context: LinkContext, scope: LinkedScope, gate: LinkedNode): void {
  if (gate.syntax.type !== 'human_gate') return;
  gate.syntax.approves?.forEach((id, index) => {
    if (scope.byId.has(id)) return;
    const path = [...gate.at, 'approves', index];
    const advice = nameAdvice(context, id, () => scope.byId.keys(), { fix: replacing(context.document, path, 'value') });
    context.report(unknownNode, { path }, { id, elsewhere: '' }, advice);
  });
}

/**
 * For 32 gates at a time a bit for each that lies on every way to a node. A way counts only by the success edge of the gate: an error
 * edge is taken when a person said no.
 */
function approvalsBefore(scope: LinkedScope, gates: readonly LinkedNode[]): (commit: LinkedNode) => boolean {
  const approved = new Set<number>();
  for (let block = 0; block < gates.length; block += 32) {
    const slice = gates.slice(block, block + 32);
    const bits = new Int32Array(scope.nodes.length);
    slice.forEach((gate, bit) => {
      bits[gate.index] = 1 << bit;
    });
    const before = new Int32Array(scope.nodes.length);
    for (const index of scope.order) {
      const { in: incoming } = scope.nodes[index] as LinkedNode;
      let mask = incoming.length === 0 ? 0 : -1;
      for (const edgeIndex of incoming) {
        const edge = scope.edges[edgeIndex];
        if (edge === undefined) continue;
        const own = edge.on === 'success' ? (bits[edge.from] as number) : 0;
        mask &= (before[edge.from] as number) | own;
      }
      before[index] = mask;
    }
    slice.forEach((gate, bit) => {
      const approves = gate.syntax.type === 'human_gate' ? (gate.syntax.approves ?? []) : [];
      for (const id of approves) {
        const commit = scope.byId.get(id);
        if (commit !== undefined && ((before[commit.index] as number) & (1 << bit)) !== 0) approved.add(commit.index);
      }
    });
  }
  return (commit) => approved.has(commit.index);
}
