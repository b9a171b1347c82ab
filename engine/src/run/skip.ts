import type { NodeSkipped } from '../events/run-event.js';
import type { EndingReason, SkipReason } from './run-state.js';
import { emit, type NodeView, type Step } from './step.js';

type Why = Pick<NodeSkipped, 'reason' | 'condition' | 'upstream'>;

export function skip(step: Step, node: NodeView, why: Why): void {
  emit(step, { type: 'node:skipped', node: node.path, ...why });
}

/** Why a node whose in-edges have ended does not run. */
export function skipReason(step: Step, node: NodeView): Why {
  const ending = node.in.ending;
  if (ending !== undefined) return { reason: reasonOfEnding(ending) };
  const isStopped = step.draft.head.stopping !== undefined;
  if (isStopped) return { reason: 'run_cancelled' };
  for (const edgeIndex of node.plan.in) {
    const edge = node.in.plan.edges[edgeIndex]!;
    if (node.in.edges.get(edgeIndex) !== 'dead') continue;
    const upstream = node.in.plan.nodes[edge.from]!.id;
    if (node.in.nodes.get(edge.from).status !== 'succeeded' || edge.on === 'error') continue;
    if (edge.handle !== undefined) return { reason: 'branch_not_taken', upstream };
    return {
      reason: 'condition_false',
      upstream,
      ...(edge.condition === undefined ? {} : { condition: { text: edge.condition.text, values: {} } }),
    };
  }
  const dead = node.plan.in.find((edge) => node.in.edges.get(edge) === 'dead');
  const upstream = dead === undefined ? undefined : node.in.plan.nodes[node.in.plan.edges[dead]!.from]!.id;
  return { reason: 'upstream_dead', ...(upstream === undefined ? {} : { upstream }) };
}

function reasonOfEnding(ending: EndingReason): SkipReason {
  switch (ending) {
    case 'lost_race':
    case 'run_cancelled':
      return ending;
    case 'failed':
    case 'run_failed':
    case 'item_failed':
    case 'timeout':
      return 'run_failed';
    default:
      return ending satisfies never;
  }
}
