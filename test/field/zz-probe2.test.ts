import { it } from 'vitest';
import { go, after } from './zz-runner.js';
const cmd = (id: string, more = ''): string => `{ id: ${id}, type: tool, tool: run_command, tool_config: { command: x }${more} }`;
const res = (s: string) => ({ exitCode: 0, stdout: s, stderr: '', durationMs: 0 });
async function show(name: string, f: () => Promise<any>) {
  try { const r = await f(); console.log(`## ${name}\n`, JSON.stringify({ status: r.status, error: r.error && { code: r.error.code, path: r.error.path }, outputs: r.outputs, tookMs: r.tookMs, calls: [...r.calls], ev: r.events.map((e: any) => `${e.type}${e.node ? ' ' + e.node : ''}${e.reason ? `(${e.reason})` : ''}`) })); }
  catch (e: any) { console.log(`## ${name}\n THROW`, String(e?.stack ?? e).slice(0, 400)); }
}
it('probe2', async () => {
  await show('A stale queue', () => go(`
max_parallel: 1
nodes:
  - ${cmd('long')}
  - id: each
    type: loop
    for_each: '[1]'
    retry: { max: 2, backoff_ms: 10, retry_on: [gate_rejected] }
    body:
      nodes:
        - { id: g, type: human_gate, gate_type: approval, message_template: x }
        - ${cmd('step')}
        - { id: end, type: transform, needs: [g, step], transform: '1' }
  - ${cmd('aft', ', needs: [each]')}`, (call, clock) => after(clock, call.node === 'long' ? 1000 : 5), { onEvent: (() => { let n = 0; return (e: any, h: any, clock: any) => { if (e.type === 'gate:opened') { const d = n++ === 0 ? 'rejected' : 'approved'; clock.at(clock.now() + 5, () => h.decide(e.node, { decision: d, by: 'me' })); } }; })() }));
  await show('B timeout ignoring tool, abandoned', () => go(`
nodes:
  - ${cmd('slow', ', timeout_ms: 100')}
  - ${cmd('next', ', needs: [slow]')}`, (call, clock) => after(clock, call.node === 'slow' ? 60000 : 5)));
  await show('C fencing: abandoned attempt of the first loop run ends in the second', () => go(`
nodes:
  - id: each
    type: loop
    for_each: '[0, 1]'
    max_parallel: 2
    retry: { max: 2, backoff_ms: 1 }
    body: { nodes: [${cmd('step', ", output_mapping: { o: result.stdout }")}] }`, async (call, clock, n) => {
    if (call.node === 'each[1].step' && n === 1) { await after(clock, 100); const { HostError } = await import('../../engine/src/ports/host-error.js'); throw new HostError('tool_failed', 'x', 'no'); }
    if (call.node === 'each[0].step' && n === 1) return after(clock, 20000, res('OLD'));
    return after(clock, 15000, res('NEW'));
  }));
  await show('D tool says cancelled by itself', () => go(`
nodes:
  - ${cmd('slow')}
  - ${cmd('next', ', needs: [slow]')}`, async () => { const { HostError } = await import('../../engine/src/ports/host-error.js'); throw new HostError('cancelled', 'x', 'no'); }));
  await show('E onEvent throws with async store', () => go(`
nodes:
  - ${cmd('slow')}`, (c, clock) => after(clock, 5), { ports: { store: { append: async () => {} } }, onEvent: (e: any) => { if (e.type === 'node:succeeded') throw new Error('view broke'); } }));
  await show('F gate that parks with lock waiter', () => go(`
nodes:
  - { id: a, type: loop, for_each: '[1]', lock: x, body: { nodes: [{ id: g, type: human_gate, gate_type: approval, message_template: x }] } }
  - ${cmd('b', ', lock: x')}`, (c, clock) => after(clock, 5), { options: { parks: () => true } }));
  await show('G always chain under cancel: cleanup with loop', () => go(`
cleanup_timeout_ms: 1000
nodes:
  - ${cmd('w')}
  - { id: clean, type: loop, for_each: '[1,2,3]', body: { nodes: [${cmd('c')}] } }
  - ${cmd('last', ', needs: [clean]')}
edges: [{ from: w, to: clean, on: always }]`, (c, clock) => after(clock, c.node === 'w' ? 0 : 400) , { cancelAtMs: 0 }));
  await show('H cancel in child in loop with always inside', () => go(`
nodes:
  - { id: each, type: loop, for_each: '[1,2]', max_parallel: 2, body: { nodes: [{ id: call, type: subworkflow, workflow: ./c.relavium.yaml }] } }`, (c, clock) => c.signal.aborted || c.node.endsWith('work') ? new Promise((res, rej) => { c.signal.addEventListener('abort', async () => { const { HostError } = await import('../../engine/src/ports/host-error.js'); rej(new HostError('cancelled', 'x', 'no')); }); }) : after(clock, 50), { cancelAtMs: 10, workflows: { 'c.relavium.yaml': `schema_version: '1.0'
workflow:
  id: c
  tools: { allowedCommandGlobs: ['*'] }
  nodes:
    - ${cmd('work')}
    - ${cmd('tidy')}
  edges: [{ from: work, to: tidy, on: always }]
` } }));
  await show('I on_failure continue + losers', () => go(`
on_failure: continue
nodes:
  - ${cmd('a')}
  - ${cmd('b')}
  - ${cmd('c', ', needs: [b]')}
  - { id: m, type: merge, merge_strategy: concat, join_strategy: wait_n, wait_n: 2, needs: [a, c, d] }
  - ${cmd('d')}
  - ${cmd('o', ', needs: [m]')}`, async (c, clock) => { if (c.node === 'b') { await after(clock, 10); const { HostError } = await import('../../engine/src/ports/host-error.js'); throw new HostError('tool_failed', 'x', 'no'); } return after(clock, 50); }));
  await show('J loop with while whose condition breaks', () => go(`
nodes:
  - { id: w, type: loop, while: 'prev === undefined || prev.x < 3', body: { nodes: [{ id: t, type: transform, transform: '1' }] } }`, (c, clock) => after(clock, 5)));
  await show('K second cancel', () => go(`
nodes:
  - ${cmd('w')}
  - ${cmd('t')}
edges: [{ from: w, to: t, on: always }]`, (c, clock) => after(clock, 100000), { cancelAtMs: 10, onEvent: (e: any, h: any, clock: any) => { if (e.type === 'run:stopping' && !e.final) clock.at(clock.now() + 100, () => h.cancel()); } }));
}, 60000);
