import type { Plan } from '@relavium/engine';
import { everyNode } from './every-node.js';

/** Who or what may ask a person during a run, in words: the first of them. Undefined: nothing does. */
export function whatAsks(plan: Plan, asksAll = false): string | undefined {
  const nodes = everyNode(plan);
  const gate = nodes.find(({ type }) => type === 'human_gate');
  if (gate !== undefined) return `"${gate.id}" asks a person`;
  const approving = nodes.find((node) => node.type === 'agent' && node.approve.length > 0);
  if (approving?.type === 'agent') return `"${approving.id}" asks a person before it uses ${approving.approve.join(', ')}`;
  if (plan.budget?.onExceed === 'pause_for_approval' && hasAgents(plan)) return 'a person is asked when the budget is used up';
  return asksAll ? '--ask asks a person before each call that changes something' : undefined;
}

export function hasAgents(plan: Plan): boolean {
  return everyNode(plan).some(({ type }) => type === 'agent');
}
