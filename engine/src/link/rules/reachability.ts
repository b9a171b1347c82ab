import { noEdges, unreachableNode, waitNUnsatisfiable } from '../../diagnostics/catalogue/graph.js';
import type { LinkContext } from '../link-context.js';
import type { LinkedEdge, LinkedNode, LinkedScope, LinkedWorkflow } from '../model.js';
import type { Rule } from '../rule.js';

/** Nodes that no run can start, and joins that cannot be met. */
export const reachabilityRule: Rule = (context, workflow) => {
  const invoked = invokedIds(workflow);
  for (const scope of workflow.scopes) {
    checkDead(context, scope, invoked);
    checkRaces(context, scope);
  }
  const { root } = workflow;
  const scheduled = root.nodes.filter((node) => !isInvokeOnly(node));
  if (scheduled.length > 1 && root.edges.length === 0 && !saysEdges(workflow)) {
    context.report(noEdges, { path: ['workflow', 'nodes'], what: 'key' }, { count: scheduled.length });
  }
};

/** An edge whose end was not found is reported by itself. */
function saysEdges({ syntax, root }: LinkedWorkflow): boolean {
  const own = root.nodes.some(
    (node) => node.syntax.needs !== undefined || node.syntax.type === 'parallel' || node.syntax.type === 'condition',
  );
  return own || (syntax.edges ?? []).length > 0;
}

function invokedIds(workflow: LinkedWorkflow): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const scope of workflow.scopes) {
    for (const { syntax } of scope.nodes) {
      if (syntax.type === 'agent') for (const id of syntax.invokes ?? []) ids.add(id);
      // A tool node may name one agent node as a literal.
      else if (syntax.type === 'tool' && syntax.tool === 'invoke_agent') ids.add(String(syntax.tool_config?.node_id));
    }
  }
  return ids;
}

function isInvokeOnly(node: LinkedNode): boolean {
  return node.syntax.type === 'agent' && node.syntax.invoke_only === true;
}

/** In topological order, so what is dead because of a dead node before it is told apart from the cause. Only causes are reported. */
function checkDead(context: LinkContext, scope: LinkedScope, invoked: ReadonlySet<string>): void {
  const dead = new Uint8Array(scope.nodes.length);
  for (const index of scope.order) {
    const node = scope.nodes[index] as LinkedNode;
    const incoming = node.in.map((edge) => scope.edges[edge] as LinkedEdge);
    const why = ownReason(context, node, invoked) ?? joinReason(context, scope, node, incoming, dead);
    if (why === undefined) continue;
    dead[index] = 1;
    if (why !== '') context.report(unreachableNode, { path: [...node.at, 'id'] }, { id: node.id, why });
  }
}

function ownReason(context: LinkContext, node: LinkedNode, invoked: ReadonlySet<string>): string | undefined {
  if (node.syntax.if !== undefined && isNever(context, node.syntax.if)) return 'its "if" is never true';
  if (isInvokeOnly(node) && !invoked.has(node.id)) return 'it is invoke_only and no agent invokes it';
  return undefined;
}

/** Why a join can never be met; empty where the cause lies further up. */
function joinReason(
  context: LinkContext,
  scope: LinkedScope,
  node: LinkedNode,
  incoming: readonly LinkedEdge[],
  dead: Uint8Array,
): string | undefined {
  if (incoming.length === 0) return undefined;
  const reasons = incoming.map((edge) => edgeReason(context, scope, edge, dead));
  const closed = reasons.filter((reason) => reason !== undefined);
  if (node.syntax.join_strategy === 'require_all') {
    if (closed.length > 0) return closed.find((reason) => reason !== '') ?? '';
    return exclusiveReason(scope, incoming);
  }
  if (closed.length < incoming.length) return undefined;
  return closed.find((reason) => reason !== '') ?? '';
}

function edgeReason(context: LinkContext, scope: LinkedScope, edge: LinkedEdge, dead: Uint8Array): string | undefined {
  if (dead[edge.from] === 1) return '';
  const source = scope.nodes[edge.from] as LinkedNode;
  if (edge.on === 'success' && source.syntax.type === 'fail') return `"${source.id}" always fails, so its success edge is never taken`;
  if (edge.on === 'error' && (source.syntax.type === 'input' || source.syntax.type === 'parallel')) return `"${source.id}" cannot fail`;
  if (edge.written?.condition !== undefined && isNever(context, edge.written.condition)) {
    return `the condition of the edge from "${source.id}" is never true`;
  }
  return undefined;
}

/** require_all over two branches of one condition waits for both, and only one is ever taken. */
function exclusiveReason(scope: LinkedScope, incoming: readonly LinkedEdge[]): string | undefined {
  const handles = new Map<number, string>();
  for (const edge of incoming) {
    if (edge.handle === undefined || edge.on !== 'success') continue;
    const other = handles.get(edge.from);
    if (other !== undefined && other !== edge.handle) {
      return `it requires all paths, and of the branches of "${(scope.nodes[edge.from] as LinkedNode).id}" only one is taken`;
    }
    handles.set(edge.from, edge.handle);
  }
  return undefined;
}

/** A constant false; anything that has to be computed is left to the run. */
function isNever(context: LinkContext, text: string): boolean {
  const parsed = context.parses.expression(text);
  if ('error' in parsed) return false;
  const { plain } = parsed.expression;
  return plain?.kind === 'literal' && (plain.value === false || plain.value === null || plain.value === undefined);
}

function checkRaces(context: LinkContext, scope: LinkedScope): void {
  for (const node of scope.nodes) {
    if (node.syntax.type !== 'merge' || node.syntax.wait_n === undefined || node.syntax.wait_n <= node.in.length) continue;
    const data = { node: node.id, wanted: node.syntax.wait_n, edges: node.in.length };
    context.report(waitNUnsatisfiable, { path: [...node.at, 'wait_n'] }, data);
  }
}
