import type { Blueprint, NodeBlueprint, NodeKind } from './blueprint.js';

/** The workflow that a blueprint describes, as the plain data of its file. Every blueprint gives one that compiles. */
export function workflowOf(blueprint: Blueprint): object {
  const kinds = blueprint.nodes.map((node) => node.kind);
  const edges = edgesOf(blueprint);
  settleKinds(kinds, edges);
  return {
    schema_version: '1.0',
    workflow: {
      id: 'random',
      tools: { allowedCommands: ['true'] },
      on_failure: blueprint.onFailure,
      max_parallel: blueprint.maxParallel,
      ...(blueprint.timeoutMs === undefined ? {} : { timeout_ms: blueprint.timeoutMs }),
      nodes: blueprint.nodes.map((node, index) => nodeOf(node, kinds[index]!, index, edges)),
      edges: edges.filter((edge) => !isWrittenAtNode(edge, kinds)).map(edgeOf),
    },
  };
}

const command = "type: tool, tool: run_command, tool_config: { command: 'true' }, output_mapping: { done: '1' }";

function childText(id: string, nodes: string): string {
  return `schema_version: '1.0'\nworkflow:\n  id: ${id}\n  tools: { allowedCommands: ['true'] }\n${nodes}`;
}

/** Workflows that a node may call: one with cleanup, one that asks a person, one that calls another one in a loop. */
export const childFiles: Readonly<Record<string, string>> = {
  'plain.relavium.yaml': childText(
    'plain',
    `  nodes:\n    - { id: work, ${command} }\n    - { id: tidy, ${command} }\n    - { id: out, type: output, needs: [work], value: '1' }\n  edges: [{ from: work, to: tidy, on: always }]\n`,
  ),
  'asking.relavium.yaml': childText(
    'asking',
    `  nodes:\n    - { id: ask, type: human_gate, gate_type: approval }\n    - { id: side, ${command} }\n    - { id: go, ${command}, needs: [ask, side] }\n`,
  ),
  'calling.relavium.yaml': childText(
    'calling',
    "  on_failure: continue\n  nodes:\n    - { id: each, type: loop, for_each: '[0, 1]', max_parallel: 2, body: { nodes: [{ id: call, type: subworkflow, workflow: ./plain.relavium.yaml }] } }\n",
  ),
};

interface Edge {
  readonly from: number;
  readonly to: number;
  readonly on: 'success' | 'error' | 'always';
  readonly hasCondition: boolean;
  readonly hasCodes: boolean;
}

/** At most one edge between two nodes, always forwards: no graph has a cycle. */
function edgesOf(blueprint: Blueprint): Edge[] {
  return blueprint.nodes.flatMap((node, to) => {
    const seen = new Set<number>();
    return node.sources.flatMap(({ back, ...rest }) => {
      const from = to - 1 - back;
      if (from < 0 || seen.has(from)) return [];
      seen.add(from);
      return [{ from, to, ...rest }];
    });
  });
}

/** A kind that its edges do not allow becomes a transform; edges that a kind does not allow become ones that it does. */
function settleKinds(kinds: NodeKind[], edges: Edge[]): void {
  kinds.forEach((kind, index) => {
    const isFed = edges.some((edge) => edge.to === index);
    const feeds = edges.some((edge) => edge.from === index && edge.on === 'success');
    if ((kind === 'merge' || kind === 'race') && !isFed) kinds[index] = 'transform';
    if ((kind === 'condition' || kind === 'parallel') && !feeds) kinds[index] = 'transform';
  });
  edges.forEach((edge, at) => {
    const kind = kinds[edge.from]!;
    if (kind === 'parallel') edges[at] = { ...edge, on: 'success', hasCondition: false };
    else if (kind === 'condition' && edge.on === 'success') edges[at] = { ...edge, hasCondition: false };
    else if (kind === 'fail' && edge.on === 'success') edges[at] = { ...edge, on: 'always' };
    else if (kind === 'output' && edge.on === 'error') edges[at] = { ...edge, on: 'success' };
  });
}

function isWrittenAtNode(edge: Edge, kinds: readonly NodeKind[]): boolean {
  return edge.on === 'success' && (kinds[edge.from] === 'condition' || kinds[edge.from] === 'parallel');
}

function edgeOf(edge: Edge): object {
  return {
    from: idOf(edge.from),
    to: idOf(edge.to),
    ...(edge.on === 'success' ? {} : { on: edge.on }),
    ...(edge.hasCondition ? { condition: 'true' } : {}),
    ...(edge.on === 'error' && edge.hasCodes ? { codes: ['tool_failed', 'timeout'] } : {}),
  };
}

function idOf(index: number): string {
  return `n${index}`;
}

function nodeOf(node: NodeBlueprint, kind: NodeKind, index: number, edges: readonly Edge[]): object {
  const inward = edges.filter((edge) => edge.to === index);
  const outward = edges.filter((edge) => edge.from === index && edge.on === 'success');
  const isRace = kind === 'race';
  return {
    id: idOf(index),
    ...(node.hasIf ? { if: 'true' } : {}),
    ...(node.requireAll && !isRace ? { join_strategy: 'require_all' } : {}),
    ...(node.continueOnError && ['tool', 'transform', 'loop', 'child'].includes(kind) ? { continue_on_error: true } : {}),
    ...(node.attempts > 1 && ['tool', 'loop', 'child'].includes(kind)
      ? { retry: { max: node.attempts, backoff: 'constant', backoff_ms: 10 } }
      : {}),
    ...(node.timeoutMs !== undefined && ['tool', 'loop', 'child'].includes(kind) ? { timeout_ms: node.timeoutMs } : {}),
    ...(node.lock && ['tool', 'child'].includes(kind) ? { lock: 'one' } : {}),
    ...own(node, kind, index, inward, outward),
  };
}

function own(node: NodeBlueprint, kind: NodeKind, index: number, inward: readonly Edge[], outward: readonly Edge[]): object {
  switch (kind) {
    case 'transform':
      return { type: 'transform', transform: valueFor(index, inward) };
    case 'tool':
      return { type: 'tool', tool: 'run_command', tool_config: { command: 'true' }, output_mapping: { from: `"${idOf(index)}"` } };
    case 'condition':
      return {
        type: 'condition',
        expression: String(node.choice % (outward.length + 1)),
        branches: outward.map((edge, when) => ({ when, target_node: idOf(edge.to) })),
        ...(node.choice % 3 === 0 ? { default: idOf(outward[0]!.to) } : {}),
      };
    case 'parallel':
      return { type: 'parallel', parallel_of: outward.map((edge) => idOf(edge.to)) };
    case 'merge':
      return merging(node.choice);
    case 'race':
      return {
        ...merging(node.choice),
        ...(node.choice % 2 === 0
          ? { join_strategy: 'wait_first' }
          : { join_strategy: 'wait_n', wait_n: 1 + (node.choice % inward.length) }),
        losers: node.choice % 3 === 0 ? 'finish' : 'cancel',
      };
    case 'loop':
      return {
        type: 'loop',
        for_each: JSON.stringify(Array.from({ length: node.choice % 4 }, (_, item) => item)),
        max_parallel: 1 + (node.choice % 3),
        on_item_error: node.choice % 2 === 0 ? 'fail' : 'continue',
        body: bodyOf(node.choice),
      };
    case 'while':
      return { type: 'loop', while: 'index < 2', initial: '0', max_iterations: 1 + (node.choice % 4), body: bodyOf(node.choice) };
    case 'child':
      return { type: 'subworkflow', workflow: `./${Object.keys(childFiles)[node.choice % 3]}` };
    case 'wait':
      return { type: 'wait', duration_ms: 1 + (node.choice % 60) };
    case 'fail':
      return { type: 'fail', code: 'wanted', message: 'as asked' };
    case 'human_gate':
      return {
        type: 'human_gate',
        gate_type: 'approval',
        ...(node.choice % 2 === 0 ? { timeout_ms: 30, timeout_action: node.choice % 4 === 0 ? 'approve' : 'reject' } : {}),
      };
    case 'output':
      return { type: 'output', value: valueFor(index, inward) };
  }
}

/** The value of a node: its own name beside what its first source gave. */
function valueFor(index: number, inward: readonly Edge[]): string {
  const [first] = inward;
  return first === undefined ? `"${idOf(index)}"` : `[${index}, run.outputs["${idOf(first.from)}"] ?? null]`;
}

function merging(choice: number): object {
  const strategies = [{ merge_strategy: 'concat' }, { merge_strategy: 'first' }, { merge_strategy: 'custom', merge_fn: 'branches.length' }];
  return { type: 'merge', ...strategies[choice % strategies.length] };
}

function bodyOf(choice: number): object {
  const step = { id: 'step', type: 'tool', tool: 'run_command', tool_config: { command: 'true' }, output_mapping: { at: 'index' } };
  const after = { id: 'after', type: 'transform', transform: 'index' };
  return { nodes: choice % 2 === 0 ? [after] : choice % 3 === 0 ? [step] : [step, after] };
}
