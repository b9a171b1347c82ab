import { describe, expect, it } from 'vitest';
import { compile } from '../../../../engine/src/compile.js';
import type { ConditionNodePlan, LoopNodePlan, MergeNodePlan, Plan, PlanNode } from '../../../../engine/src/plan/plan.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';

function planOf(body: string, files: Readonly<Record<string, string>> = {}): Plan {
  const text = `schema_version: '1.0'\nworkflow:\n  id: t\n${body}`;
  const reader = memorySourceReader({ 't.relavium.yaml': text, ...files });
  const { plan, diagnostics } = compile({ path: 't.relavium.yaml', text }, { reader, tools: builtinTools });
  if (plan === undefined) throw new Error(diagnostics.map((found) => found.message).join('\n'));
  return plan;
}

function edges({ root }: Plan, scope = root): readonly string[] {
  return scope.edges.map(
    (edge) =>
      `${scope.nodes[edge.from]?.id}${edge.handle === undefined ? '' : `:${edge.handle}`}->${scope.nodes[edge.to]?.id}${edge.on === 'success' ? '' : ` ${edge.on}`}`,
  );
}

function node<Type extends PlanNode>(plan: Plan, id: string): Type {
  return plan.root.nodes.find((one) => one.id === id) as Type;
}

describe('edges of a plan', () => {
  it('come from needs, parallel_of, branches and edges, in the order of the file, each once', () => {
    const plan = planOf(`  nodes:
    - { id: fan, type: parallel, parallel_of: [a, b] }
    - { id: a, type: transform, transform: '1' }
    - { id: b, type: transform, transform: '1' }
    - { id: pick, type: condition, expression: '1', branches: [{ when: 1, target_node: x }], default: y, needs: [a, b] }
    - { id: x, type: transform, transform: '1' }
    - { id: y, type: transform, transform: '1', needs: ['pick:1'] }
  edges:
    - { from: fan, to: b, label: second }
    - { from: a, to: y, on: error, codes: [timeout] }
    - { from: 'pick:1', to: x, condition: 'true' }
`);
    expect(edges(plan)).toEqual(['fan->a', 'fan->b', 'a->pick', 'b->pick', 'pick:1->x', 'pick:default->y', 'pick:1->y', 'a->y error']);
    expect(plan.root.edges[1]?.label).toBe('second');
    expect(plan.root.edges[4]?.condition?.text).toBe('true');
    expect(plan.root.edges[7]?.codes).toEqual(['timeout']);
    const pick = node<ConditionNodePlan>(plan, 'pick');
    expect(pick.branches).toEqual([{ when: 1, edge: 4 }]);
    expect(pick.defaultEdge).toBe(5);
    expect(pick.in).toEqual([2, 3]);
    expect(pick.out).toEqual([4, 5, 6]);
  });

  it('follow the list in a loop body that says nothing else, and only there', () => {
    const body = (extra: string): string => `  nodes:
    - id: each
      type: loop
      for_each: '[1]'
      body:
        nodes:
          - { id: a, type: transform, transform: '1' }
          - { id: b, type: transform, transform: '1'${extra} }
          - { id: c, type: transform, transform: '1' }
`;
    const listed = planOf(body(''));
    expect(edges(listed, node<LoopNodePlan>(listed, 'each').body)).toEqual(['a->b', 'b->c']);
    const said = planOf(body(', needs: [a]'));
    expect(edges(said, node<LoopNodePlan>(said, 'each').body)).toEqual(['a->b']);
  });
});

describe('a merge', () => {
  it('takes values in the order of the parallel node whose members all point to it', () => {
    const plan = planOf(`  nodes:
    - { id: fan, type: parallel, parallel_of: [c, a, b] }
    - { id: a, type: transform, transform: '1' }
    - { id: b, type: transform, transform: '1' }
    - { id: c, type: transform, transform: '1' }
    - { id: other, type: transform, transform: '1' }
    - { id: join, type: merge, merge_strategy: concat, needs: [other, a, b, c] }
`);
    const join = node<MergeNodePlan>(plan, 'join');
    const sources = join.order.map((index) => plan.root.nodes[plan.root.edges[index]?.from as number]?.id);
    expect(sources).toEqual(['c', 'a', 'b', 'other']);
  });

  it('takes values in the order of its edges otherwise', () => {
    const plan = planOf(`  nodes:
    - { id: fan, type: parallel, parallel_of: [b, a, z] }
    - { id: a, type: transform, transform: '1' }
    - { id: b, type: transform, transform: '1' }
    - { id: z, type: transform, transform: '1' }
    - { id: join, type: merge, merge_strategy: concat }
  edges: [{ from: a, to: join }, { from: b, to: join }]
`);
    const join = node<MergeNodePlan>(plan, 'join');
    expect(join.order).toEqual(join.in);
  });

  it('in a race has for losers the nodes that lead nowhere else', () => {
    const plan = planOf(`  nodes:
    - { id: fan, type: parallel, parallel_of: [a, b, c] }
    - { id: a, type: transform, transform: '1' }
    - { id: a2, type: transform, transform: '1', needs: [a] }
    - { id: b, type: transform, transform: '1' }
    - { id: c, type: transform, transform: '1' }
    - { id: side, type: transform, transform: '1', needs: [c] }
    - { id: join, type: merge, merge_strategy: first, join_strategy: wait_first, needs: [a2, b, c] }
    - { id: out, type: output, needs: [join] }
`);
    const { race } = node<MergeNodePlan>(plan, 'join');
    expect(race?.count).toBe(1);
    expect(race?.losers).toBe('cancel');
    // Not fan: one of its ways ends in side.
    expect(race?.region.map((index) => plan.root.nodes[index]?.id)).toEqual(['a', 'a2', 'b']);
  });
});

describe('nodes of a plan', () => {
  it('carry the defaults of calls, and no other node does', () => {
    const plan = planOf(`  defaults: { timeout_ms: 500, retry: { max: 3 } }
  nodes:
    - { id: read, type: tool, tool: read_file, tool_config: { path: a }, retry: { max: 2, backoff: linear } }
    - { id: list, type: tool, tool: list_directory, tool_config: { path: a }, needs: [read] }
    - { id: ok, type: human_gate, gate_type: approval, needs: [list] }
`);
    expect(node(plan, 'read').retry).toEqual({ max: 2, backoff: 'linear', backoffMs: 1000, maxBackoffMs: 300_000, jitter: 0 });
    expect(node(plan, 'list').retry?.max).toBe(3);
    expect(node(plan, 'list').timeoutMs).toBe(500);
    expect(node(plan, 'ok').timeoutMs).toBeUndefined();
    expect(node(plan, 'ok').retry).toBeUndefined();
  });

  it('know where they stand in the file', () => {
    const plan = planOf(`  nodes:
    - id: each
      type: loop
      for_each: '[1]'
      body: { nodes: [{ id: a, type: transform, transform: '1' }] }
`);
    expect(node<LoopNodePlan>(plan, 'each').body.nodes[0]?.at).toEqual(['workflow', 'nodes', 0, 'body', 'nodes', 0]);
  });

  it('bound loops that no list bounds', () => {
    const loop = (kind: string): number =>
      node<LoopNodePlan>(
        planOf(`  nodes: [{ id: l, type: loop, ${kind}, body: { nodes: [{ id: a, type: transform, transform: '1' }] } }]\n`),
        'l',
      ).maxIterations;
    expect(loop("while: 'false'")).toBe(100);
    expect(loop("until: 'true'")).toBe(100);
    expect(loop("for_each: '[1]'")).toBe(Number.MAX_SAFE_INTEGER);
    expect(loop("for_each: '[1]', max_iterations: 5")).toBe(5);
  });

  it('see user codes as user.<code>, and commands as argument vectors', () => {
    const plan = planOf(`  tools: { allowedCommands: ['npm  test', [printf, 'a b']] }
  nodes: [{ id: stop, type: fail, code: gone, message: 'No {{ run.id }}' }]
`);
    expect(node(plan, 'stop')).toMatchObject({ code: 'user.gone', message: { kind: 'template' } });
    expect(plan.policy.allowedCommands).toEqual([
      ['npm', '', 'test'],
      ['printf', 'a b'],
    ]);
  });

  it('keep context values without templates as they are', () => {
    const plan = planOf(`  context: [{ key: a, value: [1, { b: 'x {{ run.id }}', c: y }] }]
  nodes: [{ id: out, type: output, value: ctx.a }]
`);
    expect(plan.context[0]?.value).toMatchObject({ kind: 'list', items: [{ kind: 'literal', value: 1 }, { kind: 'map' }] });
  });
});

describe('children', () => {
  const leaf = "schema_version: '1.0'\nworkflow:\n  id: leaf\n  nodes: [{ id: out, type: output, value: '1' }]\n";

  it('stand once each on the outermost plan, by the path of their file', () => {
    const middle =
      "schema_version: '1.0'\nworkflow:\n  id: middle\n  nodes: [{ id: l, type: subworkflow, workflow: ../leaf.relavium.yaml }]\n";
    const plan = planOf(
      '  nodes: [{ id: m, type: subworkflow, workflow: ./sub/middle.relavium.yaml }, { id: l, type: subworkflow, workflow: ./leaf.relavium.yaml, needs: [m] }]\n',
      {
        'sub/middle.relavium.yaml': middle,
        'leaf.relavium.yaml': leaf,
      },
    );
    expect(Object.keys(plan.children).sort()).toEqual(['leaf.relavium.yaml', 'sub/middle.relavium.yaml']);
    expect(plan.children['sub/middle.relavium.yaml']?.children).toEqual({});
    expect(node(plan, 'm')).toMatchObject({ child: 'sub/middle.relavium.yaml' });
  });

  it('may be the workflow itself, and the plan stays plain data', () => {
    const plan = planOf("  nodes: [{ id: again, type: subworkflow, workflow: ./t.relavium.yaml, if: 'false' }]\n");
    expect(Object.keys(plan.children)).toEqual(['t.relavium.yaml']);
    expect(plan.children['t.relavium.yaml']?.children).toEqual({});
    expect(JSON.parse(JSON.stringify(plan)).children['t.relavium.yaml'].workflow.id).toBe('t');
  });

  it('are found by id among the workflows of the project', () => {
    const plan = planOf('  nodes: [{ id: l, type: subworkflow, workflow: leaf }]\n', { '.relavium/workflows/leaf.relavium.yaml': leaf });
    expect(Object.keys(plan.children)).toEqual(['.relavium/workflows/leaf.relavium.yaml']);
  });

  it('have their findings in their own file', () => {
    const text = "schema_version: '1.0'\nworkflow:\n  id: t\n  nodes: [{ id: l, type: subworkflow, workflow: ./bad.yaml }]\n";
    const reader = memorySourceReader({ 'bad.yaml': leaf.replace("value: '1'", "value: 'inputs.x'") });
    const { plan, diagnostics, sources } = compile({ path: 't.yaml', text }, { reader, tools: builtinTools });
    expect(plan).toBeUndefined();
    expect(diagnostics.map((found) => `${found.source.path} ${found.code}`)).toEqual(['bad.yaml unresolved_reference']);
    expect(sources.map((source) => source.path)).toEqual(['t.yaml', 'bad.yaml']);
  });
});
