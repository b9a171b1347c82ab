import type { EdgeVerdicts } from '../events/run-event.js';
import { toBoolean } from '../expression/boolean.js';
import { evaluate } from '../expression/evaluate.js';
import type { Json } from '../json.js';
import { mask } from '../masking/mask.js';
import type { ExpressionVm } from '../ports/expression-vm.js';
import type { NodeRef } from './apply.js';
import { nodePath } from './node-path.js';
import type { Outcome } from './outcome.js';
import { type RunState, scopeAt } from './run-state.js';
import { scopeOf } from './scope.js';

/** What the conditions of a node's out-edges say about how it ended. The first that cannot be evaluated is the run's error. */
export function judgeEdges(state: RunState, ref: NodeRef, outcome: Outcome, positions: readonly number[], vm: ExpressionVm): EdgeVerdicts {
  const scope = scopeAt(state, ref.scope)!;
  const node = scope.plan.nodes[ref.index]!;
  const conditions: Record<string, boolean> = {};
  for (const position of positions) {
    const edge = scope.plan.edges[node.out[position]!]!;
    const condition = edge.condition!;
    const own = ownEnd(outcome, node.id);
    const names: [string, Json | undefined][] = edge.on === 'success' ? [] : [['error', own.error]];
    const verdict = toBoolean(evaluate(condition, scopeOf(state, ref, { names, own, reader: condition }), vm));
    if (verdict.ok) {
      conditions[position] = verdict.value === true;
      continue;
    }
    const target = scope.plan.nodes[edge.to]!.id;
    const path = nodePath(ref.scope, node.id);
    const message = mask(`condition of the edge to ${target}: ${verdict.message}`);
    const error = {
      code: 'expression_error',
      message,
      node: node.id,
      path,
      details: { reason: verdict.reason },
      attempt: scope.nodes.get(ref.index).attempt,
    };
    return { conditions, error };
  }
  return { conditions };
}

function ownEnd(outcome: Outcome, node: string): { readonly output?: Json; readonly error?: Json } {
  switch (outcome.kind) {
    case 'succeeded':
      return { output: outcome.output };
    case 'failed':
      return { error: { code: outcome.code, message: outcome.message, details: outcome.details, node } };
    case 'cancelled':
      return {};
    default:
      return outcome satisfies never;
  }
}
