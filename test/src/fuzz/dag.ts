import { builtinTools, compile, type Plan } from '@relavium/engine';
import { memorySourceReader } from '@relavium/engine/testing';
import fc from 'fast-check';
import { type Blueprint, blueprints } from './blueprint.js';
import { decisionsOf } from './decisions.js';
import { type Choose, drive, type Trace } from './pure-driver.js';
import type { FuzzRequest, FuzzResult } from './request.js';
import { brokenFold, brokenRules } from './run-rules.js';
import { type TimedRun, type Times, timedRun } from './timed-run.js';
import { childFiles, workflowOf } from './workflow.js';

const MOST_NODES = 10;

/** Random graphs through the pure core, with every order of events that the choices can make, and through the driver that runs use. */
export async function fuzzDag(request: FuzzRequest): Promise<FuzzResult> {
  const counts = { runs: 0, succeeded: 0, failed: 0, cancelled: 0, races: 0, events: 0 };
  const property = fc.asyncProperty(
    blueprints(MOST_NODES),
    fc.nat(),
    choices(),
    choices(),
    fc.boolean(),
    async (blueprint, seed, first, second, mayCancel) => {
      const plan = planOf(blueprint);
      const trace = drive(plan, decisionsOf(seed), chooser(first), mayCancel);
      const timed = await timedRun(plan, decisionsOf(seed), timesOf(first, mayCancel));
      const broken = [
        ...broke(plan, trace),
        ...brokenOrder(plan, blueprint, seed, first, second),
        ...brokenTimed(plan, timed),
        ...(await brokenTiming(plan, blueprint, seed, first, second)),
      ];
      if (broken.length > 0) throw new Error(broken.slice(0, 5).join('\n'));
      counts.runs++;
      counts.events += trace.events.length + timed.events.length;
      for (const { status } of [trace.state, timed.result]) counts[status as 'succeeded' | 'failed' | 'cancelled']++;
      if (plan.root.nodes.some((node) => node.type === 'merge' && node.race !== undefined)) counts.races++;
    },
  );
  const details = await fc.check(property, { seed: request.seed, ...request.limit });
  if (!details.failed) return { ok: true, counts };
  const [blueprint, seed, order] = details.counterexample ?? [];
  return {
    ok: false,
    counts,
    counterexample: [
      String(details.errorInstance),
      blueprint === undefined ? '' : shown(workflowOf(blueprint)),
      `decisions ${seed}, order ${JSON.stringify(order)}, --seed ${details.seed}, path ${details.counterexamplePath}`,
    ].join('\n'),
  };
}

function choices(): fc.Arbitrary<number[]> {
  return fc.array(fc.nat(1000), { minLength: 1, maxLength: 60 });
}

function chooser(list: readonly number[]): Choose {
  let at = 0;
  return (bound) => (bound <= 1 ? 0 : list[at++ % list.length]! % bound);
}

function planOf(blueprint: Blueprint): Plan {
  const text = JSON.stringify(workflowOf(blueprint));
  const { plan, diagnostics } = compile(
    { path: 'random.relavium.yaml', text },
    { reader: memorySourceReader(childFiles), tools: builtinTools },
  );
  if (plan === undefined)
    throw new Error(`a random workflow does not compile: ${diagnostics.map(({ code, message }) => `${code}: ${message}`).join('; ')}`);
  return plan;
}

function broke(plan: Plan, trace: Trace): readonly string[] {
  return trace.problems.length > 0 ? trace.problems : [...brokenRules(plan, trace.events), ...brokenFold(plan, trace.events, trace.state)];
}

/**
 * Where no race, time limit, lock or cancel gives time a say, another order of the same answers gives the same run: the states of the nodes
 * and every value.
 */
function brokenOrder(
  plan: Plan,
  blueprint: Blueprint,
  seed: number,
  first: readonly number[],
  second: readonly number[],
): readonly string[] {
  if (blueprint.timeoutMs !== undefined || plan.root.nodes.some(isTimely)) return [];
  const one = drive(plan, decisionsOf(seed), chooser(first), false);
  const other = drive(plan, decisionsOf(seed), chooser(second), false);
  if (one.state.status !== other.state.status) return [`one order ${one.state.status}, another ${other.state.status}`];
  // What a failure stops depends on what was under way; only a run that succeeds has one outcome.
  if (one.state.status !== 'succeeded') return [];
  const a = JSON.stringify(values(one));
  const b = JSON.stringify(values(other));
  return a === b ? [] : [`another order gives other values:\n${a}\n${b}`];
}

function brokenTimed(plan: Plan, { result, events, wasCancelled }: TimedRun): readonly string[] {
  const broken = [...brokenRules(plan, events), ...brokenFold(plan, events, result.state)].map((what) => `through the driver: ${what}`);
  // A cancel while a run cleans up after its time limit changes nothing.
  const wasOutOfTime = events.some((event) => event.type === 'run:stopping' && event.reason === 'run_timeout');
  if (wasOutOfTime && plan.onFailure === 'continue' && result.error?.code !== 'run_timeout')
    broken.push(`through the driver: ended by its time limit, and ${result.status} with ${result.error?.code}`);
  if (wasCancelled && !wasOutOfTime && result.status !== 'cancelled')
    broken.push(`through the driver: cancelled in time, and ${result.status}`);
  return broken;
}

/** As `brokenOrder`, by the driver and with other durations. */
async function brokenTiming(
  plan: Plan,
  blueprint: Blueprint,
  seed: number,
  first: readonly number[],
  second: readonly number[],
): Promise<readonly string[]> {
  if (blueprint.timeoutMs !== undefined || blueprint.nodes.some((node) => node.timeoutMs !== undefined) || plan.root.nodes.some(isTimely))
    return [];
  const one = await timedRun(plan, decisionsOf(seed), timesOf(first, false));
  const other = await timedRun(plan, decisionsOf(seed), timesOf(second, false));
  if (one.result.status !== other.result.status) return [`with other durations ${one.result.status} becomes ${other.result.status}`];
  if (one.result.status !== 'succeeded') return [];
  const a = JSON.stringify(values(one));
  const b = JSON.stringify(values(other));
  return a === b ? [] : [`other durations give other values:\n${a}\n${b}`];
}

function timesOf(list: readonly number[], mayCancel: boolean): Times {
  const at = (text: string): number => list[[...text].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % list.length]!;
  return { delay: (node, attempt) => at(`${node} ${attempt}`) % 40, ...(mayCancel ? { cancelAt: list[0]! % 120 } : {}) };
}

function isTimely(node: Plan['root']['nodes'][number]): boolean {
  return (
    (node.type === 'merge' && node.race !== undefined) ||
    node.type === 'human_gate' ||
    (node.type === 'subworkflow' && (node.timeoutMs !== undefined || !node.child.includes('plain'))) ||
    (node.type === 'loop' && (node.timeoutMs !== undefined || node.maxParallel > 1))
  );
}

function values(trace: Pick<Trace, 'events'>): readonly (readonly [string, unknown])[] {
  return trace.events
    .flatMap((event) => {
      if (event.type === 'node:succeeded') return [[event.node, event.output] as const];
      if (event.type === 'node:failed') return [[event.node, event.error.code] as const];
      return event.type === 'node:skipped' ? [[event.node, 'skipped'] as const] : [];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A workflow with a line a node and an edge. */
function shown(file: object): string {
  const { nodes, edges, ...rest } = (file as { workflow: { nodes: object[]; edges: object[] } }).workflow;
  return [rest, ...nodes, ...edges].map((each) => `  ${JSON.stringify(each)}`).join('\n');
}
