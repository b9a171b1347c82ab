/** The harness's own reading of a workflow: who feeds whom, and who reads whom. It knows nothing of the product. */
export interface Graph {
  readonly ids: readonly string[];
  /** For each node its direct sources, by id. */
  readonly sources: ReadonlyMap<string, ReadonlySet<string>>;
  readonly reads: readonly { readonly node: string; readonly id: string }[];
}

interface RawNode {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly needs?: unknown;
  readonly parallel_of?: unknown;
  readonly branches?: unknown;
  readonly default?: unknown;
}

interface RawEdge {
  readonly from?: unknown;
  readonly to?: unknown;
}

/** `undefined` for what is too broken to have a graph. */
export function graphOf(workflow: unknown): Graph | undefined {
  const { nodes, edges = [] } = (workflow ?? {}) as { readonly nodes?: unknown; readonly edges?: unknown };
  if (!Array.isArray(nodes) || !Array.isArray(edges)) return undefined;
  const sources = new Map<string, Set<string>>();
  const join = (from: unknown, to: unknown): void => {
    if (typeof from === 'string' && typeof to === 'string') sources.set(to, (sources.get(to) ?? new Set()).add(from.split(':')[0]!));
  };
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const reads: { node: string; id: string }[] = [];
  for (const node of nodes as RawNode[]) {
    const id = String(node.id);
    for (const source of list(node.needs)) join(source, id);
    for (const target of list(node.parallel_of)) join(id, target);
    for (const branch of list(node.branches) as { readonly target_node?: unknown }[]) join(id, branch?.target_node);
    if (node.type === 'condition') join(id, node.default);
    const { body: _, ...outer } = node as RawNode & { readonly body?: unknown };
    for (const match of JSON.stringify(outer).matchAll(/run\.(?:outputs|errors|captured)\[\\?["']([\w-]+)/g))
      reads.push({ node: id, id: match[1]! });
  }
  for (const edge of edges as RawEdge[]) join(edge.from, edge.to);
  for (const edge of edges as (RawEdge & { readonly condition?: unknown })[]) {
    for (const match of String(edge.condition ?? '').matchAll(/run\.(?:outputs|errors|captured)\[["']([\w-]+)/g))
      reads.push({ node: String(edge.from).split(':')[0]!, id: match[1]! });
  }
  return { ids: (nodes as RawNode[]).map((node) => String(node.id)), sources, reads };
}

/** Reads of a node that is not upstream. An edge's condition may read its own source. */
export function brokenReads(graph: Graph): Graph['reads'] {
  return graph.reads.filter(({ node, id }) => node !== id && graph.ids.includes(id) && !upstreamOf(graph, node).has(id));
}

function upstreamOf(graph: Graph, node: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const left = [node];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const source of graph.sources.get(next) ?? []) {
      if (!seen.has(source)) left.push(source);
      seen.add(source);
    }
  }
  return seen;
}
