import { builtinTools, compile, type Diagnostic, type GateDecision, type JsonObject, prepareInputs, startRun } from '@relavium/engine';
import { memorySourceReader, memoryStore, type StubbedAttempt, stubTools } from '@relavium/engine/testing';
import { parse } from 'yaml';
import { fromRoot } from '../../shared/from-root.js';
import { failed, type Judge, passed, type Verdict } from '../case.js';
import { differences, type Outcome } from '../compare.js';
import { observe } from '../observed.js';
import type { Scenario, StubbedGate } from '../scenario.js';
import { openWorld, type World } from '../worlds/world.js';

/** A scenario is a workflow that is compiled, admitted and run by the product; only what it stubs is played. */
export const judge: Judge = async (testCase, { host }) => {
  const scenario = testCase as unknown as Scenario;
  const missing = notThereYet(scenario);
  if (missing !== undefined) return { outcome: 'skipped', reason: missing };
  const world = await openWorld(host, scenario.stubbed?.files ?? {});
  try {
    return await judgeIn(world, scenario);
  } finally {
    await world.close();
  }
};

/** Node types that compile and do not run yet. */
const missingTypes: ReadonlySet<string> = new Set(['agent']);

function notThereYet({ workflow, stubbed = {} }: Scenario): string | undefined {
  if (stubbed.processes !== undefined) return 'further processes: runs are not kept yet';
  if (stubbed.kill !== undefined) return 'a kill: runs are not kept yet';
  const missing = [workflow, ...Object.values(stubbed.workflows ?? {})].flatMap(nodeTypes).find((type) => missingTypes.has(type));
  return missing === undefined ? undefined : `node type ${missing}`;
}

/** Types of all nodes, those in loop bodies included. What cannot be read has none: `compile` will have its say. */
function nodeTypes(text: string): string[] {
  const of = (nodes: unknown): string[] =>
    Array.isArray(nodes) ? nodes.flatMap((node) => [String(node?.type), ...of(node?.body?.nodes)]) : [];
  try {
    return of(parse(text)?.workflow?.nodes);
  } catch {
    return [];
  }
}

async function judgeIn(world: World, scenario: Scenario): Promise<Verdict> {
  const found = await differences(scenario.expect, await outcomeOf(world, scenario));
  if (found.length === 0) return passed;
  return failed(found.map(({ expected }) => expected).join('; '), found.map(({ found: seen }) => seen).join('; '));
}

const nothing = { outputs: {}, observed: observe([]), calls: new Map<string, number>() };

async function outcomeOf(world: World, { workflow, inputs = {}, stubbed = {} }: Scenario): Promise<Outcome> {
  const file = (path: string) => world.file(path);
  const source = { path: 'main.relavium.yaml', text: workflow };
  const { plan, diagnostics } = compile(source, { reader: memorySourceReader(fromRoot(stubbed.workflows ?? {})), tools: builtinTools });
  if (plan === undefined) return { status: 'rejected', errors: diagnostics.filter(isError), ...nothing, file };

  const scripts = new Map(Object.entries(stubbed.tools ?? {}).map(([path, entries]) => [path, entries.map(attemptOf)]));
  const stubs = stubTools(builtinTools, scripts, world.clock);
  const store = memoryStore();
  const ports = world.ports(stubs.tools, store);
  const prepared = await prepareInputs(plan, inputs as JsonObject, {
    ...ports,
    run: { id: 'case', startedAt: new Date(world.clock.now()).toISOString() },
  });
  if (!prepared.ok) {
    const errors = prepared.problems.map(({ input, message }) => ({ code: 'validation', message: `${input}: ${message}` }));
    return { status: 'rejected', errors, ...nothing, file };
  }

  const gates = stubbed.gates ?? {};
  /** Gates that something will decide: a script, or their own deadline. */
  const decided = new Set(Object.keys(gates));
  const handle = startRun(
    plan,
    { runId: 'case', workflowHash: 'none', inputs: prepared.inputs, context: prepared.context, trigger: { type: 'manual' } },
    ports,
    {
      parks: (waiting) => !waiting.some((gate) => decided.has(gate)),
      onEvent: (event) => {
        if (event.type !== 'gate:opened') return;
        if (event.deadline !== undefined) decided.add(event.node);
        const script = gates[event.node];
        if (script !== undefined)
          world.clock.at(world.clock.now() + (script.after_ms ?? 0), () => handle.decide(event.node, decisionOf(script)));
      },
    },
  );
  if (stubbed.cancel !== undefined) world.clock.at(world.clock.now() + stubbed.cancel.at_ms, () => handle.cancel());
  const result = await world.run(handle.done);
  return {
    status: result.status,
    outputs: result.outputs,
    errors: result.error === undefined ? [] : [result.error],
    observed: observe(store.events),
    calls: stubs.calls,
    file,
  };
}

function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error';
}

function attemptOf(entry: {
  readonly delay_ms?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message?: string };
}): StubbedAttempt {
  const delay = entry.delay_ms === undefined ? {} : { delayMs: entry.delay_ms };
  if (entry.error !== undefined)
    return { ...delay, error: { code: entry.error.code as never, message: entry.error.message ?? entry.error.code } };
  return { ...delay, result: (entry.result ?? null) as never };
}

function decisionOf({ after_ms: _, by = 'someone', ...rest }: StubbedGate): GateDecision {
  return { ...(rest as Omit<GateDecision, 'by'>), by };
}
