import type { Json } from '../json.js';
import type { MergeNodePlan } from '../plan/plan.js';
import { finish } from './finish.js';
import { failed, type Outcome } from './outcome.js';
import { ask, emitStarted, type NodeView, type Step, view } from './step.js';
import { stopLosers } from './stop.js';

/** A merge has started: its losers go, its value is made. */
export function runMerge(step: Step, node: NodeView): void {
  const plan = node.plan as MergeNodePlan;
  const branches = arrivedOutputs(node, plan);
  if (plan.race?.losers === 'cancel') stopLosers(step, node.scope, plan.race.region);
  if (plan.strategy === 'custom') return ask(step, node, { kind: 'merge', branches });
  return finish(step, node, node.state.attempt, merged(plan.strategy, branches));
}

/**
 * A race whose in-edges have all ended short of its count: skipped if none was live and nothing failed (false is returned), else
 * `join_unsatisfiable`.
 */
export function runShortRace(step: Step, node: NodeView): boolean {
  const sources = node.plan.in.map((edge) => node.in.nodes.get(node.in.plan.edges[edge]!.from).status);
  const nothingCame = node.state.live === 0 && !sources.includes('failed');
  if (nothingCame) return false;
  emitStarted(step, node);
  const started = view(step, node);
  const wanted = (node.plan as MergeNodePlan).race!.count;
  const message = `${wanted} branches were to succeed and ${node.state.arrived} did`;
  finish(step, started, started.state.attempt, failed('join_unsatisfiable', message, { wanted, arrived: node.state.arrived }));
  return true;
}

/** Outputs of live sources that succeeded, in the order that the plan has fixed. */
function arrivedOutputs(node: NodeView, plan: MergeNodePlan): readonly Json[] {
  const values: Json[] = [];
  for (const edge of plan.order) {
    if (node.in.edges.get(edge) !== 'live') continue;
    const source = node.in.nodes.get(node.in.plan.edges[edge]!.from);
    if (source.status === 'succeeded') values.push(source.output ?? null);
  }
  return values;
}

function merged(strategy: 'concat' | 'object_merge' | 'first', branches: readonly Json[]): Outcome {
  switch (strategy) {
    case 'concat':
      return { kind: 'succeeded', output: branches };
    case 'first':
      return { kind: 'succeeded', output: branches[0] ?? null };
    case 'object_merge':
      return objectMerge(branches);
    default:
      return strategy satisfies never;
  }
}

function objectMerge(branches: readonly Json[]): Outcome {
  const merged = new Map<string, Json>();
  for (const [position, branch] of branches.entries()) {
    if (typeof branch !== 'object' || branch === null || Array.isArray(branch)) {
      const found = branch === null ? 'null' : Array.isArray(branch) ? 'a list' : `a ${typeof branch}`;
      return failed('validation', `object_merge takes objects; branch ${position + 1} gave ${found}`, { branch: position });
    }
    for (const [key, value] of Object.entries(branch)) merged.set(key, value);
  }
  // fromEntries defines own properties, so that a key such as `__proto__` is one like any other.
  return { kind: 'succeeded', output: Object.fromEntries(merged) };
}
