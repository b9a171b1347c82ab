import type { Json, JsonObject } from '../json.js';

import type { ScopeState } from './run-state.js';

/** What a workflow gives back: its output nodes that succeeded by id; without output nodes, the succeeded nodes that nothing follows. */
export function runOutputs(scope: ScopeState): JsonObject {
  const declared = scope.plan.nodes.filter((node) => node.type === 'output');
  const givers = declared.length > 0 ? declared : scope.plan.nodes.filter((node) => node.out.length === 0);
  const outputs: [string, Json][] = [];
  for (const node of givers) {
    const state = scope.nodes.get(node.index);
    if (state.status === 'succeeded') outputs.push([node.id, state.output ?? null]);
  }
  return Object.fromEntries(outputs);
}

/** What an output node without `value` captures: its one live feeder's output as it is, several as an object by id. */
export function fedTo(scope: ScopeState, index: number): Json {
  const node = scope.plan.nodes[index]!;
  const live = node.in.filter((edge) => scope.edges.get(edge) === 'live').map((edge) => scope.plan.edges[edge]!.from);
  const feeders = [...new Set(live)];
  if (feeders.length === 1) return scope.nodes.get(feeders[0]!).output ?? null;
  return Object.fromEntries(feeders.map((from) => [scope.plan.nodes[from]!.id, scope.nodes.get(from).output ?? null]));
}
