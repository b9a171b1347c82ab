import { it } from 'vitest';
import { go, after } from './zz-runner.js';
const cmd = (id: string, more = ''): string => `{ id: ${id}, type: tool, tool: run_command, tool_config: { command: x }${more} }`;
const range = (n: number) => Array.from({ length: n }, (_, i) => i);
it('slots', async () => {
  const r = await go(`
max_parallel: 2
nodes:
  - ${cmd('long1')}
  - ${cmd('long2')}
  - id: each
    type: loop
    for_each: '[1]'
    retry: { max: 2, backoff_ms: 10, retry_on: [gate_rejected] }
    body:
      nodes:
        - { id: g, type: human_gate, gate_type: approval, message_template: x }
        - ${cmd('step')}
        - { id: end, type: transform, needs: [g, step], transform: '1' }
  - ${cmd('p', ', needs: [each]')}
  - ${cmd('q', ', needs: [each]')}`, (call, clock) => after(clock, call.node.startsWith('long') ? 1000 : 100), { onEvent: (() => { let n = 0; return (e: any, h: any, clock: any) => { if (e.type === 'gate:opened') { const d = n++ === 0 ? 'rejected' : 'approved'; clock.at(clock.now() + 5, () => h.decide(e.node, { decision: d, by: 'me' })); } }; })() });
  console.log('slots', r.status, r.tookMs, 'expected 1200');
});
const timed = async (name: string, f: () => Promise<any>) => { const t = performance.now(); const r = await f(); console.log(name, r.status, Math.round(performance.now() - t), 'ms', r.count, 'events'); };
it('perf', async () => {
  for (const n of [1000, 2000, 4000]) {
    await timed(`fan of ${n} loops w/ tool`, () => go(`nodes:\n${range(n).map((i) => `  - { id: l${i}, type: loop, for_each: '[1]', body: { nodes: [${cmd('t')}] } }`).join('\n')}`, (c, clock) => after(clock, 1), { keep: false }));
  }
  for (const n of [2000, 4000, 8000]) {
    await timed(`chain of ${n} waits`, () => go(`nodes:\n${range(n).map((i) => `  - { id: w${i}, type: wait, duration_ms: 1${i ? `, needs: [w${i - 1}]` : ''} }`).join('\n')}`, (c, clock) => after(clock, 1), { keep: false }));
  }
  for (const n of [2000, 4000, 8000]) {
    await timed(`${n} tools on one lock`, () => go(`nodes:\n${range(n).map((i) => `  - ${cmd(`w${i}`, ', lock: x')}`).join('\n')}`, (c, clock) => after(clock, 1), { keep: false }));
  }
  for (const n of [2000, 4000, 8000]) {
    await timed(`${n} tools fan in`, () => go(`nodes:\n${range(n).map((i) => `  - ${cmd(`w${i}`)}`).join('\n')}\n  - { id: m, type: merge, merge_strategy: concat, needs: [${range(n).map((i) => `w${i}`)}] }`, (c, clock) => after(clock, 1), { keep: false }));
  }
  for (const n of [2000, 4000, 8000]) {
    await timed(`${n} transforms with computed read, chain`, () => go(`nodes:\n${range(n).map((i) => `  - { id: w${i}, type: transform, transform: '${i ? `run.outputs["w" + ${i - 1}] + 1` : '0'}'${i ? `, needs: [w${i - 1}]` : ''} }`).join('\n')}`, (c, clock) => after(clock, 1), { keep: false }));
  }
}, 300000);
