import { describe, expect, it } from 'vitest';
import { fails, ok, runYaml, story } from './run-yaml.js';

const done = { exitCode: 0, stdout: '', stderr: '', durationMs: 0 };

describe('a loop', () => {
  it('in a loop keeps its own names and sees those around it', async () => {
    const { outputs } = await runYaml(`
nodes:
  - id: rows
    type: loop
    for_each: '[[1, 2], [3]]'
    as: row
    index_as: r
    body:
      nodes:
        - id: cells
          type: loop
          for_each: row
          as: cell
          index_as: c
          body: { nodes: [{ id: cell-value, type: transform, transform: '[r, c, cell]' }] }
    collect: 'run.outputs["cells"].results'`);
    expect(outputs).toEqual({
      rows: {
        results: [
          [
            [0, 0, 1],
            [0, 1, 2],
          ],
          [[1, 0, 3]],
        ],
        count: 2,
        last: [[1, 0, 3]],
        errors: [],
      },
    });
  });

  it('begins with its own names as they are before the first round', async () => {
    const { outputs } = await runYaml(`
nodes:
  - { id: own, type: loop, initial: '[index, prev]', for_each: '[prev, index]', body: { nodes: [{ id: x, type: transform, transform: item }] } }
  - id: outer
    type: loop
    for_each: '[1]'
    initial: '"outer"'
    body: { nodes: [{ id: inner, type: loop, for_each: '[prev]', index_as: j, body: { nodes: [{ id: x, type: transform, transform: item }] } }] }`);
    expect(outputs.own).toMatchObject({ results: [[0, null], 0] });
    expect(outputs.outer).toMatchObject({ last: { results: [null] } });
  });

  it('carries the last value past a round that gives none', async () => {
    const { outputs } = await runYaml(`
nodes:
  - { id: each, type: loop, for_each: '[1, 2, 3]', body: { nodes: [{ id: x, type: transform, transform: item, if: 'item !== 3' }] } }`);
    expect(outputs.each).toEqual({ results: [1, 2, null], count: 3, last: 2, errors: [] });
  });

  it('ends by until, and prev there is the value of the iteration', async () => {
    const { outputs } = await runYaml(`
nodes:
  - id: grow
    type: loop
    initial: '1'
    until: 'prev >= 8'
    body: { nodes: [{ id: twice, type: transform, transform: 'prev * 2' }] }`);
    expect(outputs.grow).toMatchObject({ results: [2, 4, 8], count: 3, last: 8 });
  });

  it('fails with loop_limit when it is to go on past max_iterations', async () => {
    const { error } = await runYaml(`
nodes:
  - { id: ever, type: loop, while: 'true', max_iterations: 3, body: { nodes: [{ id: x, type: transform, transform: '1' }] } }`);
    expect(error).toMatchObject({ code: 'loop_limit', path: 'ever' });
  });

  it('whose for_each is no list fails with expression_error', async () => {
    const { error } = await runYaml(`
nodes:
  - { id: each, type: loop, for_each: '"text"', body: { nodes: [{ id: x, type: transform, transform: '1' }] } }`);
    expect(error).toMatchObject({ code: 'expression_error', path: 'each' });
  });

  const items = (more: string): string => `
tools: { allowedCommandGlobs: ['do *'] }
nodes:
  - id: each
    type: loop
    for_each: '["a", "b", "c", "d"]'
    ${more}
    body: { nodes: [{ id: step, type: tool, tool: run_command, tool_config: { command: do }, input_mapping: { args: '[item]' }, output_mapping: { at: 'index' } }] }`;

  it('stops the other items when one fails, and its error keeps its code and path', async () => {
    const tools = { 'each[0].step': [ok(done, 900)], 'each[1].step': [fails(100)], 'each[2].step': [ok(done)], 'each[3].step': [ok(done)] };
    const { error, statuses, tookMs } = await runYaml(items('max_parallel: 2'), { tools });
    expect(error).toMatchObject({ code: 'tool_failed', node: 'each', path: 'each[1].step' });
    expect(statuses).toEqual({ each: 'failed', 'each[0].step': 'cancelled', 'each[1].step': 'failed' });
    expect(tookMs).toBe(100);
  });

  it('goes on past failed items when told to, and lists them', async () => {
    const tools = { 'each[0].step': [ok(done, 300)], 'each[1].step': [fails(100)], 'each[2].step': [ok(done)], 'each[3].step': [fails()] };
    const { outputs } = await runYaml(items('max_parallel: 4, on_item_error: continue'.replace(', ', '\n    ')), { tools });
    expect(outputs.each).toMatchObject({
      results: [{ at: 0 }, null, { at: 2 }, null],
      count: 4,
      last: { at: 2 },
      errors: [
        { index: 1, code: 'tool_failed', path: 'each[1].step' },
        { index: 3, code: 'tool_failed', path: 'each[3].step' },
      ],
    });
  });

  it('is bounded as a whole by its timeout, and may be retried', async () => {
    const tools = {
      'each[0].step': [ok(done, 900), ok(done)],
      'each[1].step': [ok(done)],
      'each[2].step': [ok(done)],
      'each[3].step': [ok(done)],
    };
    const { error } = await runYaml(items('timeout_ms: 200'), { tools });
    expect(error).toMatchObject({ code: 'timeout', path: 'each' });
  });

  it('is cancelled with what runs in it', async () => {
    const tools = { 'each[0].step': [ok(done, 900)], 'each[1].step': [ok(done)], 'each[2].step': [ok(done)], 'each[3].step': [ok(done)] };
    const { status, statuses } = await runYaml(items(''), { tools, cancelAtMs: 100 });
    expect({ status, statuses }).toEqual({ status: 'cancelled', statuses: { each: 'cancelled', 'each[0].step': 'cancelled' } });
  });
});

describe('a child workflow', () => {
  const child = `
schema_version: '1.0'
workflow:
  id: child
  inputs: [{ name: n, type: number, required: true, validation: { max: 10 } }]
  context: [{ key: label, value: 'n={{inputs.n}}' }]
  tools: { allowedCommands: [one, two] }
  nodes:
    - { id: one, type: tool, tool: run_command, tool_config: { command: one } }
    - { id: two, type: tool, tool: run_command, needs: [one], tool_config: { command: two }, output_mapping: { label: ctx.label } }
    - { id: out, type: output, needs: [two] }`;
  const parent = (value: string, commands: string, more = ''): string => `
tools: { allowedCommands: [${commands}] }
nodes:
  - { id: call, type: subworkflow, workflow: ./child.relavium.yaml, input_mapping: { n: '${value}' }${more} }`;
  const workflows = { 'child.relavium.yaml': child.trim() };
  const tools = { 'call/one': [ok(done, 10)], 'call/two': [ok(done, 10)] };

  it('sees its mapped inputs and gives its outputs', async () => {
    const { outputs, statuses } = await runYaml(parent('3', 'one, two'), { workflows, tools });
    expect(outputs).toEqual({ call: { out: { label: 'n=3' } } });
    expect(statuses).toEqual({ call: 'succeeded', 'call/one': 'succeeded', 'call/two': 'succeeded', 'call/out': 'succeeded' });
  });

  it('may do only what its caller may', async () => {
    const { error } = await runYaml(parent('3', 'one'), { workflows, tools });
    expect(error).toMatchObject({ code: 'tool_denied', path: 'call/two', node: 'call' });
  });

  it('refuses inputs that it does not admit, as a failure of the node', async () => {
    const { error, statuses } = await runYaml(parent('11', 'one, two'), { workflows, tools });
    expect(error).toMatchObject({ code: 'validation', path: 'call' });
    expect(statuses).toEqual({ call: 'failed' });
  });

  it('may call itself eight deep and no deeper', async () => {
    const self = `
schema_version: '1.0'
workflow:
  id: self
  inputs: [{ name: n, type: number, required: true }]
  nodes:
    - { id: more, type: subworkflow, if: 'inputs.n > 0', workflow: ./self.relavium.yaml, input_mapping: { n: 'inputs.n - 1' }, output_mapping: { depth: 'result.out.depth + 1' } }
    - { id: out, type: output, needs: [more], join_strategy: wait_all, value: 'run.outputs["more"] ?? { depth: 0 }' }
    - { id: leaf, type: transform, transform: '0' }
  edges: [{ from: leaf, to: out }]`.trim();
    const flow = (n: number): string => `
nodes:
  - { id: call, type: subworkflow, workflow: ./self.relavium.yaml, input_mapping: { n: '${n}' }, output_mapping: { depth: 'result.out.depth' } }`;
    const files = { workflows: { 'self.relavium.yaml': self } };
    expect((await runYaml(flow(7), files)).outputs).toEqual({ call: { depth: 7 } });
    expect((await runYaml(flow(8), files)).error).toMatchObject({ code: 'recursion_limit', node: 'call' });
  });
});

describe('a gate', () => {
  const flow = `
nodes:
  - { id: ask, type: human_gate, gate_type: approval, message_template: 'Go?', timeout_ms: 1000, timeout_action: reject }
  - { id: go, type: transform, needs: [ask], transform: 'run.outputs["ask"].by' }
  - { id: no, type: transform, transform: '[run.errors["ask"].code, run.errors["ask"].details.by]' }
edges: [{ from: ask, to: no, on: error }]`;

  it('goes on when it is approved', async () => {
    const { outputs } = await runYaml(flow, { gates: { ask: { decision: 'approved', by: 'reviewer', afterMs: 10 } } });
    expect(outputs).toEqual({ go: 'reviewer' });
  });

  it('fails when it is rejected or nobody decides in time', async () => {
    expect((await runYaml(flow, { gates: { ask: { decision: 'rejected', by: 'reviewer' } } })).outputs).toEqual({
      no: ['gate_rejected', 'reviewer'],
    });
    expect((await runYaml(flow)).outputs).toEqual({ no: ['gate_rejected', 'timeout'] });
  });

  it('leaves the run waiting when nothing else is left to do', async () => {
    const { status, events } = await runYaml(`
nodes:
  - { id: ask, type: human_gate, gate_type: approval, message_template: 'Go?' }
  - { id: go, type: transform, needs: [ask], transform: '1' }`);
    expect(status).toBe('waiting');
    expect(story(events)).toEqual(['run:started', 'node:started ask', 'gate:opened ask', 'node:waiting ask', 'run:waiting']);
  });

  it('that asks for input is answered with a payload', async () => {
    const ask = "nodes: [{ id: ask, type: human_gate, gate_type: input, message_template: 'Name?', input_schema: { type: string } }]";
    const { outputs } = await runYaml(ask, { gates: { ask: { decision: 'input_provided', by: 'x', payload: 'boat' } } });
    expect(outputs).toMatchObject({ ask: { decision: 'input_provided', payload: 'boat' } });
  });
});
