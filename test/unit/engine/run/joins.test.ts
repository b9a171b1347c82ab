import { describe, expect, it } from 'vitest';
import { fails, ok, runYaml, story } from './run-yaml.js';

describe('a join', () => {
  it('waits for all in-edges and runs once, however many are live', async () => {
    const { outputs, events } = await runYaml(`
nodes:
  - { id: a, type: transform, transform: '1' }
  - { id: b, type: transform, transform: '2' }
  - { id: sum, type: transform, needs: [a, b], transform: 'run.outputs["a"] + run.outputs["b"]' }`);
    expect(outputs).toEqual({ sum: 3 });
    expect(story(events).filter((line) => line === 'node:started sum')).toHaveLength(1);
  });

  it('runs with what is live when the rest is dead, and is skipped when nothing is', async () => {
    const { statuses, outputs } = await runYaml(`
nodes:
  - { id: a, type: transform, transform: '1' }
  - { id: b, type: transform, if: 'false', transform: '2' }
  - { id: either, type: transform, needs: [a, b], transform: 'run.outputs["a"] ?? 0' }
  - { id: both, type: transform, needs: [a, b], join_strategy: require_all, transform: '3' }
  - { id: after, type: transform, needs: [both], transform: '4' }`);
    expect(statuses).toMatchObject({ a: 'succeeded', b: 'skipped', either: 'succeeded', both: 'skipped', after: 'skipped' });
    expect(outputs).toEqual({ either: 1 });
  });

  it('says why a node was skipped: what its condition saw, which branch was taken, what is dead above it', async () => {
    const { events } = await runYaml(
      `
inputs: [{ name: n, type: number, required: true }]
nodes:
  - { id: big, type: transform, if: 'inputs.n > 5', transform: '1' }
  - { id: after, type: transform, needs: [big], transform: '2' }
  - { id: pick, type: condition, expression: 'inputs.n > 5', branches: [{ when: true, target_node: yes }, { when: false, target_node: no }] }
  - { id: yes, type: transform, transform: '3' }
  - { id: no, type: transform, transform: '4' }`,
      { inputs: { n: 2 } },
    );
    const skips = events
      .filter((event) => event.type === 'node:skipped')
      .map(({ node, reason, condition, upstream }) => ({ node, reason, condition, upstream }));
    expect(skips).toEqual([
      { node: 'big', reason: 'condition_false', condition: { text: 'inputs.n > 5', values: { 'inputs.n': 2 } }, upstream: undefined },
      { node: 'after', reason: 'upstream_dead', condition: undefined, upstream: 'big' },
      { node: 'yes', reason: 'branch_not_taken', condition: undefined, upstream: 'pick' },
    ]);
  });

  it('starts nodes that become ready together in the order of the file', async () => {
    const { events } = await runYaml(`
nodes:
  - { id: c, type: transform, needs: [start], transform: '1' }
  - { id: a, type: transform, needs: [start], transform: '1' }
  - { id: start, type: transform, transform: '0' }
  - { id: b, type: transform, needs: [start], transform: '1' }`);
    expect(story(events).filter((line) => line.startsWith('node:started'))).toEqual(
      ['start', 'c', 'a', 'b'].map((id) => `node:started ${id}`),
    );
  });
});

const race = (join: string): string => `
tools: { allowedCommands: [one, two, three, side] }
nodes:
  - { id: fan, type: parallel, parallel_of: [one, two, three] }
  - { id: one, type: tool, tool: run_command, tool_config: { command: one }, output_mapping: { n: '1' } }
  - { id: two, type: tool, tool: run_command, tool_config: { command: two }, output_mapping: { n: '2' } }
  - { id: three, type: tool, tool: run_command, tool_config: { command: three }, output_mapping: { n: '3' } }
  - { id: join, type: merge, merge_strategy: concat, needs: [one, two, three], ${join} }
  - { id: out, type: output, needs: [join] }`;
const answer = { exitCode: 0, stdout: '', stderr: '', durationMs: 0 };

describe('a race', () => {
  it('fires at the first success and cancels what runs', async () => {
    const { outputs, statuses, tookMs } = await runYaml(race('join_strategy: wait_first'), {
      tools: { one: [ok(answer, 900)], two: [ok(answer, 100)], three: [ok(answer, 500)] },
    });
    expect(outputs).toEqual({ out: [{ n: 2 }] });
    expect(statuses).toMatchObject({ one: 'cancelled', three: 'cancelled' });
    expect(tookMs).toBe(100);
  });

  it('takes the values of those that arrived in declared order, whatever the order of arrival', async () => {
    const given = { tools: { one: [ok(answer, 300)], two: [ok(answer, 900)], three: [ok(answer, 100)] } };
    const { outputs, statuses, tookMs } = await runYaml(race('join_strategy: wait_n, wait_n: 2'), given);
    expect(outputs).toEqual({ out: [{ n: 1 }, { n: 3 }] });
    expect(statuses).toMatchObject({ two: 'cancelled', join: 'succeeded' });
    expect(tookMs).toBe(300);
  });

  it('lets losers finish unread, and their failure is not fatal', async () => {
    const given = { tools: { one: [ok(answer, 10)], two: [fails(500)], three: [ok(answer, 600)] } };
    const { status, outputs, statuses, tookMs } = await runYaml(race('join_strategy: wait_first, losers: finish'), given);
    expect({ status, outputs, tookMs }).toEqual({ status: 'succeeded', outputs: { out: [{ n: 1 }] }, tookMs: 600 });
    expect(statuses).toMatchObject({ two: 'failed', three: 'succeeded' });
  });

  it('reads no condition of an edge by which a loser comes too late', async () => {
    const { status, outputs } = await runYaml(`
nodes:
  - { id: fast, type: wait, duration_ms: 10 }
  - { id: slow, type: wait, duration_ms: 20 }
  - { id: first, type: merge, merge_strategy: concat, join_strategy: wait_first, losers: finish }
  - { id: out, type: output, value: 'run.outputs["first"]', needs: [first] }
edges: [{ from: fast, to: first }, { from: slow, to: first, condition: '"no boolean"' }]`);
    expect({ status, outputs }).toEqual({ status: 'succeeded', outputs: { out: [null] } });
  });

  it('that falls short fails with join_unsatisfiable, which an error edge can take', async () => {
    const { status, outputs } = await runYaml(
      `
on_failure: continue
tools: { allowedCommands: [one, two] }
nodes:
  - { id: one, type: tool, tool: run_command, tool_config: { command: one }, continue_on_error: true }
  - { id: two, type: tool, tool: run_command, tool_config: { command: two }, continue_on_error: true }
  - { id: join, type: merge, merge_strategy: first, join_strategy: wait_first, needs: [one, two] }
  - { id: out, type: output, value: 'run.errors["join"].code' }
edges: [{ from: join, to: out, on: error }]`,
      { tools: { one: [fails()], two: [fails()] } },
    );
    expect({ status, outputs }).toEqual({ status: 'succeeded', outputs: { out: 'join_unsatisfiable' } });
  });

  it('touches no node that has a way around the merge', async () => {
    const { statuses, outputs } = await runYaml(
      `
tools: { allowedCommands: [one, two] }
nodes:
  - { id: one, type: tool, tool: run_command, tool_config: { command: one } }
  - { id: two, type: tool, tool: run_command, tool_config: { command: two } }
  - { id: join, type: merge, merge_strategy: first, join_strategy: wait_first, needs: [one, two] }
  - { id: side, type: transform, needs: [two], transform: '"side"' }`,
      { tools: { one: [ok(answer, 10)], two: [ok(answer, 500)] } },
    );
    expect(statuses).toMatchObject({ two: 'succeeded', side: 'succeeded' });
    expect(outputs).toMatchObject({ side: 'side' });
  });
});

describe('a merge', () => {
  it('refuses to merge what is no object, and keeps odd keys as keys', async () => {
    const merge = (b: string): string => `
nodes:
  - { id: a, type: transform, transform: '{ ["__proto__"]: 1, k: 1 }' }
  - { id: b, type: transform, transform: '${b}' }
  - { id: m, type: merge, merge_strategy: object_merge, needs: [a, b] }`;
    const good = await runYaml(merge('{ k: 2 }'));
    expect(JSON.stringify(good.outputs.m)).toBe('{"__proto__":1,"k":2}');
    const bad = await runYaml(merge('[1]'));
    expect(bad.error).toMatchObject({ code: 'validation', path: 'm' });
  });
});
