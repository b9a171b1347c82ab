import type { Plan, PlanEdge, PlanNode, ScopePlan } from '@relavium/engine';

/** A plan as plain records: ids instead of indexes, expressions as their text. */
export interface GraphRecord {
  readonly workflow: Plan['workflow'];
  readonly file: string;
  readonly nodes: readonly NodeRecord[];
  readonly edges: readonly EdgeRecord[];
}

export interface NodeRecord {
  readonly id: string;
  readonly type: PlanNode['type'];
  readonly name?: string;
  readonly tool?: string;
  /** Of a child workflow: its file. */
  readonly workflow?: string;
  /** Of an agent: its id, and the agent nodes that it may invoke. */
  readonly agent?: string;
  readonly invokes?: readonly string[];
  readonly if?: string;
  /** Of a loop. */
  readonly body?: { readonly nodes: readonly NodeRecord[]; readonly edges: readonly EdgeRecord[] };
}

export interface EdgeRecord {
  readonly from: string;
  readonly to: string;
  readonly on: PlanEdge['on'];
  readonly handle?: string;
  readonly condition?: string;
  readonly codes?: readonly string[];
  readonly label?: string;
}

export function graphRecord(plan: Plan): GraphRecord {
  return { workflow: plan.workflow, file: plan.file, ...scopeRecord(plan.root) };
}

function scopeRecord({ nodes, edges }: ScopePlan): Pick<GraphRecord, 'nodes' | 'edges'> {
  const idAt = (index: number): string => nodes[index]?.id ?? '';
  return {
    nodes: nodes.map(nodeRecord),
    edges: edges.map(({ from, to, on, handle, condition, codes, label }) => ({
      from: idAt(from),
      to: idAt(to),
      on,
      ...(handle === undefined ? {} : { handle }),
      ...(condition === undefined ? {} : { condition: condition.text }),
      ...(codes === undefined ? {} : { codes }),
      ...(label === undefined ? {} : { label }),
    })),
  };
}

function nodeRecord(node: PlanNode): NodeRecord {
  return {
    id: node.id,
    type: node.type,
    ...(node.name === undefined ? {} : { name: node.name }),
    ...(node.type === 'tool' ? { tool: node.tool } : {}),
    ...(node.type === 'subworkflow' ? { workflow: node.child } : {}),
    ...(node.type === 'agent' ? { agent: node.agent, ...(node.invokes.length === 0 ? {} : { invokes: node.invokes }) } : {}),
    ...(node.if === undefined ? {} : { if: node.if.text }),
    ...(node.type === 'loop' ? { body: scopeRecord(node.body) } : {}),
  };
}
