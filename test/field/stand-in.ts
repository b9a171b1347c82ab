import { parse, stringify } from 'yaml';

/** Expression that gives the output of an agent node, or `null` for an agent that fails. */
export type StandIns = Readonly<Record<string, string | null>>;

interface Node {
  readonly id: string;
  readonly type: string;
  readonly needs?: readonly string[];
  readonly if?: string;
  readonly join_strategy?: string;
  readonly continue_on_error?: boolean;
}

/** The workflow with each of its agent nodes replaced by a node that gives a fixed answer at once. */
export function withStandIns(workflow: string, standIns: StandIns): string {
  const document = parse(workflow);
  const nodes: readonly Node[] = document.workflow.nodes;
  const replaced = nodes.map((node) => (node.type === 'agent' ? standIn(node, standIns[node.id]) : node));
  return stringify({ ...document, workflow: { ...document.workflow, nodes: replaced } }, { aliasDuplicateObjects: false });
}

function standIn({ id, needs, if: condition, join_strategy, continue_on_error }: Node, answer: string | null | undefined): object {
  if (answer === undefined) throw new Error(`the agent node ${id} has no stand-in`);
  const kept = Object.entries({ needs, if: condition, join_strategy, continue_on_error }).filter(([, value]) => value !== undefined);
  const work = answer === null ? { type: 'fail', code: 'no_model', message: 'no answer' } : { type: 'transform', transform: answer };
  return { id, ...work, ...Object.fromEntries(kept) };
}
