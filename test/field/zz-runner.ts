import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { compile } from '../../engine/src/compile.js';
import { createRegistry } from '../../engine/src/registry/create-registry.js';
import { startRun } from '../../engine/src/run/run.js';
import { createInProcessVm } from '../../engine/src/testing/in-process-vm.js';
import { memorySourceReader } from '../../engine/src/testing/memory-source-reader.js';
import { runSimulated, simulatedClock } from '../../engine/src/testing/simulated-clock.js';
import { builtinTools } from '../../engine/src/tools/builtin-tools.js';
export async function go(nodes: string, dispatch: (call: any, clock: any, n: number) => Promise<any>, opt: any = {}) {
  const { plan, diagnostics } = compile({ path: 'm.relavium.yaml', text: `schema_version: '1.0'\nworkflow:\n  id: case\n  tools: { allowedCommandGlobs: ['*'] }\n${nodes.replace(/^/gm, '  ')}` }, { reader: memorySourceReader(opt.workflows ?? {}), tools: builtinTools });
  if (!plan) throw new Error(diagnostics.slice(0,5).map((d) => `${d.code}: ${d.message}`).join('\n'));
  const clock = simulatedClock();
  const events: any[] = [];
  const calls = new Map<string, number>();
  const tools = builtinTools.map((t) => ({ ...t, dispatch: (_a: any, _h: any, call: any) => { const n = (calls.get(call.node) ?? 0) + 1; calls.set(call.node, n); return dispatch(call, clock, n); } }));
  const wasm = createRequire(new URL('../../engine/package.json', import.meta.url)).resolve('quickjs-wasi/quickjs.wasm');
  const keep = opt.keep !== false; let count = 0; let peak = 0;
  const ports: any = { clock, store: { append: (e: any[]) => { count += e.length; if (keep) events.push(...e); opt.onAppend?.(e); } }, vm: await createInProcessVm(readFileSync(wasm)), registry: (policy: any) => createRegistry({ tools, policy, host: { process: { run: () => Promise.reject(new Error('x')) } } as any }),
    newCancel: () => { const c = new AbortController(); return { signal: c.signal, cancel: () => c.abort() }; }, ...(opt.ports ?? {}) };
  const begin: any = { runId: 'run', workflowHash: 'h', inputs: opt.inputs ?? {}, context: {}, trigger: { type: 'manual' } };
  const h = startRun(plan, begin, ports, { ...(opt.options ?? {}), onEvent: (e: any) => { opt.onEvent?.(e, { decide: (...a: any[]) => (h as any).decide(...a), cancel: () => h.cancel() }, clock); } });
  if (opt.cancelAtMs !== undefined) clock.at(opt.cancelAtMs, () => h.cancel());
  const r = await runSimulated(h.done, clock, () => turn());
  return { ...r, events, count, tookMs: clock.now(), calls };
}
export const after = (clock: any, ms: number, v: any = { exitCode: 0, stdout: '', stderr: '', durationMs: 0 }) => new Promise<any>((res) => clock.at(clock.now() + ms, () => res(v)));
