import type { Edge, LoopBody, Node, Workflow } from '@relavium/schemas';
import { duplicateId } from '../diagnostics/catalogue/graph.js';
import type { Path } from '../parse/yaml-document.js';
import { buildEdges, type EdgeEnds } from './build-edges.js';
import type { LinkContext } from './link-context.js';
import type { LinkedNode, LinkedScope } from './model.js';
import type { OpenNode, OpenScope } from './open-scope.js';
import { topologicalOrder } from './topology.js';

/** All scopes of a workflow: the root first, then the bodies of its loops. Names of edges are resolved, cycles are left out of `order`. */
export function buildScopes(context: LinkContext, workflow: Workflow): readonly LinkedScope[] {
  const open: OpenScope[] = [];
  const root = openScope(context, ['workflow'], workflow.nodes, undefined, open);
  const syntaxOf = new Map<OpenScope, readonly Edge[] | undefined>([[root, workflow.edges]]);
  for (const scope of open) {
    if (scope.owner !== undefined) syntaxOf.set(scope, bodyOf(scope.owner.syntax)?.edges);
  }
  const elsewhere = idsOf(open);
  for (const scope of open) {
    const ends: EdgeEnds = { scope, elsewhere: (id) => whereIs(elsewhere, id) };
    scope.edges = buildEdges(context, ends, syntaxOf.get(scope));
    scope.edges.forEach((edge, index) => {
      (scope.nodes[edge.from] as OpenNode).out.push(index);
      (scope.nodes[edge.to] as OpenNode).in.push(index);
    });
    scope.order = topologicalOrder(scope);
  }
  return open;
}

function openScope(context: LinkContext, at: Path, nodes: readonly Node[], owner: LinkedNode | undefined, open: OpenScope[]): OpenScope {
  const scope: OpenScope = { at, nodes: [], byId: new Map(), edges: [], order: [], ...(owner === undefined ? {} : { owner }) };
  open.push(scope);
  const folded = new Map<string, OpenNode>();
  nodes.forEach((syntax, index) => {
    const node: OpenNode = { scope, index, id: syntax.id, at: [...at, 'nodes', index], syntax, in: [], out: [] };
    scope.nodes.push(node);
    const other = folded.get(syntax.id.toLowerCase());
    if (other !== undefined) reportDuplicate(context, node, other);
    else folded.set(syntax.id.toLowerCase(), node);
    if (!scope.byId.has(syntax.id)) scope.byId.set(syntax.id, node);
  });
  for (const node of scope.nodes) {
    const body = bodyOf(node.syntax);
    if (body !== undefined) node.body = openScope(context, [...node.at, 'body'], body.nodes, node as LinkedNode, open);
  }
  return scope;
}

function bodyOf(node: Node): LoopBody | undefined {
  return node.type === 'loop' ? node.body : undefined;
}

function reportDuplicate(context: LinkContext, node: OpenNode, other: OpenNode): void {
  const data = { kind: 'node', id: node.id, other: other.id, line: context.lineOf([...other.at, 'id'], 'value') };
  context.report(duplicateId, { path: [...node.at, 'id'] }, data);
}

function idsOf(scopes: readonly OpenScope[]): ReadonlyMap<string, OpenNode> {
  const ids = new Map<string, OpenNode>();
  for (const scope of scopes) for (const node of scope.nodes) if (!ids.has(node.id)) ids.set(node.id, node);
  return ids;
}

/** In words, where a node of another scope is; empty if there is none of that name. */
function whereIs(ids: ReadonlyMap<string, OpenNode>, id: string): string {
  const node = ids.get(id);
  if (node === undefined) return '';
  return node.scope.owner === undefined ? 'outside this loop' : `inside the loop "${node.scope.owner.id}"`;
}
