import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Prices } from '../../../../engine/src/agent/prices.js';
import { compile } from '../../../../engine/src/compile.js';
import type { GateDecision, RunEvent, StreamedEvent } from '../../../../engine/src/events/run-event.js';
import type { Json, JsonObject } from '../../../../engine/src/json.js';
import type { ExpressionVm } from '../../../../engine/src/ports/expression-vm.js';
import type { ModelRequest, Models } from '../../../../engine/src/ports/language-model.js';
import { createRegistry } from '../../../../engine/src/registry/create-registry.js';

import { fold } from '../../../../engine/src/run/fold.js';
import { prepareInputs } from '../../../../engine/src/run/prepare.js';
import { type RunResult, startRun } from '../../../../engine/src/run/run.js';
import { createInProcessVm } from '../../../../engine/src/testing/in-process-vm.js';
import { memoryFileSystem } from '../../../../engine/src/testing/memory-file-system.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';
import { memoryStore } from '../../../../engine/src/testing/memory-store.js';
import { runSimulated, simulatedClock } from '../../../../engine/src/testing/simulated-clock.js';
import { type StubbedAttempt, stubTools } from '../../../../engine/src/testing/stub-tools.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';
import { openScript, type Script } from '../../../../hosts/node/src/models/scripted.js';

export interface Given {
  readonly inputs?: JsonObject;
  /** What the tool of a node answers, an entry an attempt. Without an entry a file tool works on files in memory. */
  readonly tools?: Readonly<Record<string, readonly StubbedAttempt[]>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly workflows?: Readonly<Record<string, string>>;
  /** Decisions by gate, `afterMs` after it opened. */
  readonly gates?: Readonly<Record<string, GateDecision & { readonly afterMs?: number }>>;
  readonly cancelAtMs?: number;
  readonly maxParallel?: number;
  /** Turns of agents: the text of a script of the scripted provider. */
  readonly script?: string;
  readonly prices?: Prices;
  readonly asks?: boolean;
}

export interface Ran extends RunResult {
  readonly events: readonly RunEvent[];
  /** `node → status`, from the events: containers' inside included. */
  readonly statuses: Readonly<Record<string, string>>;
  readonly calls: ReadonlyMap<string, number>;
  /** Simulated milliseconds. */
  readonly tookMs: number;
  /** What models were asked, in order, with the id of the agent. */
  readonly requests: readonly (ModelRequest & { readonly agent: string })[];
  /** What agents said while they said it. */
  readonly said: readonly StreamedEvent[];
}

/** Compiles and runs a workflow on ports in memory and a simulated clock. The nodes are given without the head of the file. */
export async function runYaml(workflow: string, given: Given = {}): Promise<Ran> {
  const source = { path: 'main.relavium.yaml', text: `schema_version: '1.0'\nworkflow:\n  id: case\n${indented(workflow)}` };
  const { plan, diagnostics } = compile(source, { reader: memorySourceReader(given.workflows ?? {}), tools: builtinTools });
  if (plan === undefined) throw new Error(diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'));

  const clock = simulatedClock();
  const store = memoryStore();
  const { tools, calls } = stubTools(builtinTools, new Map(Object.entries(given.tools ?? {})), clock);
  const fs = memoryFileSystem(given.files ?? {});
  const requests: Ran['requests'][number][] = [];
  const said: StreamedEvent[] = [];
  const script = given.script === undefined ? undefined : openScript({ path: 'script.yaml', text: given.script }, clock);
  const ports = {
    ...(script === undefined ? {} : { models: recorded(script, requests) }),
    ...(given.prices === undefined ? {} : { prices: given.prices }),
    clock,
    store,
    vm: await sharedVm(),
    registry: (policy: Parameters<typeof createRegistry>[0]['policy']) =>
      createRegistry({ tools, policy, host: { fs, process: { run: () => Promise.reject(new Error('a command without a script')) } } }),
    newCancel: () => {
      const controller = new AbortController();
      return { signal: controller.signal, cancel: () => controller.abort() };
    },
  };
  const prepared = await prepareInputs(plan, given.inputs ?? {}, { ...ports, run: { id: 'run', startedAt: '' } });
  if (!prepared.ok) throw new Error(prepared.problems.map(({ input, message }) => `${input} ${message}`).join('\n'));
  const begin = { runId: 'run', workflowHash: 'hash', inputs: prepared.inputs, context: prepared.context, trigger: { type: 'manual' } };
  const waiting = new Set<string>();
  const handle = startRun(plan, begin, ports, {
    ...(given.maxParallel === undefined ? {} : { maxParallel: given.maxParallel }),
    ...(given.asks === undefined ? {} : { asks: given.asks }),
    onText: (event) => said.push(event),
    parks: (gates) => gates.every((gate) => !waiting.has(gate)),
    onEvent: (event) => {
      if (event.type !== 'gate:opened') return;
      if (event.deadline !== undefined) waiting.add(event.node);
      const script = given.gates?.[event.node];
      if (script === undefined) return;
      waiting.add(event.node);
      const { afterMs = 0, ...decision } = script;
      clock.at(clock.now() + afterMs, () => handle.decide(event.node, decision));
    },
  });
  if (given.cancelAtMs !== undefined) clock.at(given.cancelAtMs, () => handle.cancel());
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  handle.done.then(end, end);
  // Loading a validator takes real time, in which the simulated clock must not be asked for more.
  const settle = async (): Promise<void> => {
    await turn();
    for (let i = 0; i < 100 && !isOver && clock.pending === 0; i++) await sleep(10);
  };
  const result = await runSimulated(handle.done, clock, settle);
  const folded = fold(plan, begin, store.events);
  if (!isDeepStrictEqual(folded, result.state)) throw new Error('the fold of the events is not the state');
  return { ...result, events: store.events, statuses: statusesOf(store.events), calls, tookMs: clock.now(), requests, said };
}

function recorded(script: Script, requests: Ran['requests'][number][]): Models {
  return {
    async open({ provider, model: name, agent }) {
      const model = script.model(agent, name);
      return {
        ...model,
        provider,
        stream(request, signal) {
          requests.push({ ...request, agent: agent ?? '' });
          return model.stream(request, signal);
        },
      };
    },
  };
}

let vm: Promise<ExpressionVm> | undefined;

export function sharedVm(): Promise<ExpressionVm> {
  const wasm = createRequire(new URL('../../../../hosts/node/package.json', import.meta.url)).resolve('quickjs-wasi/quickjs.wasm');
  vm ??= createInProcessVm(readFileSync(wasm));
  return vm;
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}

function statusesOf(events: readonly RunEvent[]): Readonly<Record<string, string>> {
  const statuses: Record<string, string> = {};
  for (const event of events) {
    if (!event.type.startsWith('node:') || !('node' in event) || typeof event.node !== 'string') continue;
    const status = event.type.slice('node:'.length);
    if (['started', 'succeeded', 'failed', 'skipped', 'cancelled', 'waiting'].includes(status)) statuses[event.node] = status;
  }
  return statuses;
}

/** Order in which things happened, as `type node`. */
export function story(events: readonly RunEvent[]): string[] {
  return events.map((event) => `${event.type}${'node' in event && typeof event.node === 'string' ? ` ${event.node}` : ''}`);
}

export function ok(result: Json, delayMs = 0): StubbedAttempt {
  return { delayMs, result };
}

export function fails(delayMs = 0, code: 'tool_failed' | 'tool_denied' = 'tool_failed'): StubbedAttempt {
  return { delayMs, error: { code, message: 'it did not work' } };
}
