import type { Plan, PlanEdge, PlanNode, ScopePlan } from '@relavium/engine';

/** A plan as a Mermaid flowchart. A loop's body is a subgraph; error edges are dotted, always edges thick; invocations end in a circle. */
export function mermaid(plan: Plan): string {
  return `${['flowchart TD', ...scopeLines(plan.root, 'n', '  ')].join('\n')}\n`;
}

/** Names of our own (`n0`, `n1_2`), since an id may be a word that Mermaid reserves. */
function scopeLines(scope: ScopePlan, prefix: string, indent: string): string[] {
  const nodes = scope.nodes.flatMap((node) => nodeLines(node, `${prefix}${node.index}`, indent));
  const edges = scope.edges.map((edge) => `${indent}${prefix}${edge.from} ${arrow(edge)} ${prefix}${edge.to}`);
  const ids = new Map(scope.nodes.map(({ id, index }) => [id, index]));
  const invocations = scope.nodes.flatMap((node) =>
    node.type === 'agent' ? node.invokes.map((id) => `${indent}${prefix}${node.index} --o|"invokes"| ${prefix}${ids.get(id)}`) : [],
  );
  return [...nodes, ...edges, ...invocations];
}

function nodeLines(node: PlanNode, name: string, indent: string): string[] {
  if (node.type === 'loop') {
    return [`${indent}subgraph ${name}[${label(node)}]`, ...scopeLines(node.body, `${name}_`, `${indent}  `), `${indent}end`];
  }
  const [open, close] = shapes[node.type];
  return [`${indent}${name}${open}${label(node)}${close}`];
}

const box = ['[', ']'] as const;
const round = ['([', '])'] as const;

const shapes: Readonly<Record<Exclude<PlanNode['type'], 'loop'>, readonly [string, string]>> = {
  input: round,
  output: round,
  tool: box,
  agent: ['[[', ']]'],
  condition: ['{', '}'],
  transform: box,
  parallel: ['[/', '\\]'],
  merge: ['[\\', '/]'],
  human_gate: ['{{', '}}'],
  subworkflow: ['[[', ']]'],
  wait: ['((', '))'],
  fail: ['>', ']'],
};

function label(node: PlanNode): string {
  const kind = node.type === 'tool' ? node.tool : node.type;
  return quoted(`${node.name ?? node.id}<br/>${kind}`, true);
}

function arrow({ on, handle, condition, codes, label: text }: PlanEdge): string {
  const words = [handle, text, condition?.text, codes?.join(', '), on === 'success' ? undefined : on].filter((word) => word !== undefined);
  const line = on === 'error' ? '-.->' : on === 'always' ? '==>' : '-->';
  return words.length === 0 ? line : `${line}|${quoted(words.join(': '), false)}|`;
}

/** Mermaid reads entity codes inside quotes; everything that could end the label or start markup is written as one. */
function quoted(text: string, keepBreak: boolean): string {
  const parts = keepBreak ? text.split('<br/>') : [text];
  return `"${parts.map(escaped).join('<br/>')}"`;
}

function escaped(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[#"<>&|`[\]{}()\\\u0000-\u001f\u007f-\u009f]/g, (character) => `#${character.codePointAt(0)};`);
}
