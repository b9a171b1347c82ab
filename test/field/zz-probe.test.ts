import { it } from 'vitest';
import { fails, ok, runYaml, story } from '../unit/engine/run/run-yaml.js';

const done = { exitCode: 0, stdout: '', stderr: '', durationMs: 0 };
const cmd = (id: string, more = ''): string => `{ id: ${id}, type: tool, tool: run_command, tool_config: { command: x }${more} }`;
const head = "tools: { allowedCommandGlobs: ['*'] }";
async function show(name: string, yaml: string, given: any = {}, pick: (r: any) => unknown = () => undefined) {
  try {
    const r = await runYaml(`\n${head}\n${yaml}`, given);
    console.log(`## ${name}\n`, JSON.stringify({ status: r.status, error: r.error && { code: r.error.code, path: r.error.path, node: r.error.node, m: r.error.message }, outputs: r.outputs, tookMs: r.tookMs, statuses: r.statuses, extra: pick(r) }));
  } catch (e: any) { console.log(`## ${name}\n THROW`, String(e?.stack ?? e).slice(0, 600)); }
}
const st = (r: any) => story(r.events);

it('probe', async () => {
  await show('1 timeout of a loop into conditional error edge', `
nodes:
  - { id: each, type: loop, for_each: '[1]', timeout_ms: 100, body: { nodes: [${cmd('s')}] } }
  - { id: rescue, type: transform, transform: '1' }
edges: [{ from: each, to: rescue, on: error, condition: 'error.code === "timeout"' }]`, { tools: { 'each[0].s': [ok(done, 900)] } });
  await show('1b timeout of a loop, retry', `
nodes:
  - { id: each, type: loop, for_each: '[1]', timeout_ms: 100, retry: { max: 2, backoff_ms: 1 }, body: { nodes: [${cmd('s')}] } }`, { tools: { 'each[0].s': [ok(done, 900)] } }, st);
  await show('1c timeout of a loop continue_on_error with condition edge', `
nodes:
  - { id: each, type: loop, for_each: '[1]', timeout_ms: 100, continue_on_error: true, body: { nodes: [${cmd('s')}] } }
  - { id: next, type: transform, transform: '1' }
edges: [{ from: each, to: next, condition: 'true' }]`, { tools: { 'each[0].s': [ok(done, 900)] } });
  await show('2 always edge with false condition after cancel', `
nodes:
  - ${cmd('w')}
  - ${cmd('tidy')}
edges: [{ from: w, to: tidy, on: always, condition: 'false' }]`, { tools: { w: [ok(done, 900)], tidy: [ok(done)] }, cancelAtMs: 50 });
  await show('3 spurious run:waiting', `
max_parallel: 1
nodes:
  - ${cmd('flaky', ', retry: { max: 2, backoff_ms: 10 }')}
  - ${cmd('long')}`, { tools: { flaky: [fails(), ok(done)], long: [ok(done, 900)] } }, st);
  await show('4 stale queue entry leaks slot', `
max_parallel: 1
nodes:
  - ${cmd('long')}
  - id: each
    type: loop
    for_each: '[1]'
    retry: { max: 2, backoff_ms: 10, retry_on: [gate_rejected] }
    body:
      nodes:
        - { id: g, type: human_gate, gate_type: approval, message_template: x, needs: [] }
        - ${cmd('step')}
      edges: []
  - ${cmd('after', ', needs: [each]')}`, { tools: { long: [ok(done, 1000)], 'each[0].step': [ok(done, 5)], after: [ok(done)] }, gates: { 'each[0].g': { decision: 'rejected', by: 'me', afterMs: 5 } } }, st);
  await show('5 lock order deadlock', `
nodes:
  - { id: a, type: loop, for_each: '[1]', lock: x, body: { nodes: [${cmd('as', ', lock: y')}] } }
  - { id: b, type: loop, for_each: '[1]', lock: y, body: { nodes: [${cmd('bs', ', lock: x')}] } }`, { tools: { 'a[0].as': [ok(done, 10)], 'b[0].bs': [ok(done, 10)] } }, st);
  await show('6 lock in child same as parent', `
nodes:
  - { id: call, type: subworkflow, workflow: ./c.relavium.yaml, lock: x }`, { workflows: { 'c.relavium.yaml': `schema_version: '1.0'
workflow:
  id: c
  tools: { allowedCommandGlobs: ['*'] }
  nodes:
    - ${cmd('in', ', lock: x')}
` }, tools: { 'call/in': [ok(done, 10)] } });
  await show('7 gate inside lock with a queued node: run:waiting?', `
nodes:
  - { id: a, type: loop, for_each: '[1]', lock: x, body: { nodes: [{ id: g, type: human_gate, gate_type: approval, message_template: x }] } }
  - ${cmd('b', ', lock: x')}`, { tools: { b: [ok(done)] }, gates: { 'a[0].g': { decision: 'approved', by: 'me', afterMs: 5000 } } }, st);
  await show('8 child waits: does the node wait?', `
nodes:
  - { id: call, type: subworkflow, workflow: ./c.relavium.yaml }`, { workflows: { 'c.relavium.yaml': `schema_version: '1.0'
workflow:
  id: c
  nodes:
    - { id: g, type: human_gate, gate_type: approval, message_template: x }
` }, gates: { 'call/g': { decision: 'approved', by: 'me', afterMs: 5000 } } }, st);
  await show('9 handler inside a loop item, sibling item fails', `
nodes:
  - id: each
    type: loop
    for_each: '[0, 1]'
    max_parallel: 2
    body:
      nodes:
        - ${cmd('work')}
        - ${cmd('tidy')}
      edges: [{ from: work, to: tidy, on: always }]`, { tools: { 'each[0].work': [fails(10)], 'each[0].tidy': [ok(done, 500)], 'each[1].work': [fails(100)], 'each[1].tidy': [ok(done, 500)] } });
  await show('10 handler inside loop, other root node fails', `
nodes:
  - id: each
    type: loop
    for_each: '[0]'
    body:
      nodes:
        - ${cmd('work')}
        - ${cmd('tidy')}
      edges: [{ from: work, to: tidy, on: always }]
  - ${cmd('bad')}`, { tools: { 'each[0].work': [fails(10)], 'each[0].tidy': [ok(done, 500)], bad: [fails(100)] } });
  await show('11 failure then run_timeout', `
timeout_ms: 1000
nodes:
  - ${cmd('bad')}
  - ${cmd('tidy')}
edges: [{ from: bad, to: tidy, on: always }]`, { tools: { bad: [fails(10)], tidy: [ok(done, 5000)] } });
  await show('12 wait until non ISO', `
nodes:
  - { id: w, type: wait, until: '5' }`);
  await show('13 tie in one tick, edge order', `
nodes:
  - { id: a, type: transform, transform: '"a"' }
  - { id: b, type: transform, transform: '"b"' }
  - { id: m, type: merge, merge_strategy: first, join_strategy: wait_first, needs: [b, a] }`, {}, st);
  await show('13b tie of tools', `
nodes:
  - ${cmd('a', ", output_mapping: { n: '1' }")}
  - ${cmd('b', ", output_mapping: { n: '2' }")}
  - { id: m, type: merge, merge_strategy: first, join_strategy: wait_first, needs: [b, a] }`, { tools: { a: [ok(done, 100)], b: [ok(done, 100)] } }, st);
  await show('14 retry on expression_error of if', `
nodes:
  - ${cmd('a', ", if: 'inputs.n.x.y', retry: { max: 2, backoff_ms: 1, retry_on: [expression_error] }")}
inputs: [{ name: n, type: json, default: {} }]`, { tools: { a: [ok(done)] } }, st);
  await show('15 continue_on_error condition without match', `
nodes:
  - { id: c, type: condition, expression: '"z"', branches: [{ when: a, target_node: x }, { when: b, target_node: y }] }
  - { id: x, type: transform, transform: '1' }
  - { id: y, type: transform, transform: '1' }
  - { id: r, type: transform, transform: 'run.errors["c"].code' }
edges: [{ from: c, to: r, on: error }]`);
  await show('16 collect error path', `
nodes:
  - { id: each, type: loop, for_each: '[1,2]', on_item_error: continue, collect: 'run.outputs["s"].a.b', body: { nodes: [{ id: s, type: transform, transform: '{}' }] } }`);
  await show('17 fail_fast with fail handler in nested loop', `
nodes:
  - id: outer
    type: loop
    for_each: '[0,1]'
    on_item_error: continue
    body:
      nodes:
        - { id: inner, type: loop, for_each: '[0,1]', body: { nodes: [{ id: f, type: fail, code: no, message: 'i={{index}}' }] } }
        - { id: h, type: transform, transform: 'run.errors["inner"].path' }
      edges: [{ from: inner, to: h, on: error }]`);
  await show('18 wait in a race', `
nodes:
  - { id: w, type: wait, duration_ms: 100 }
  - { id: g, type: human_gate, gate_type: approval, message_template: x }
  - { id: m, type: merge, merge_strategy: concat, join_strategy: wait_first, needs: [w, g] }`, {}, st);
}, 60000);
