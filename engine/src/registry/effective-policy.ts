import type { Policy } from '../plan/plan.js';

/** What a workflow may do: its own policy, and for a subworkflow also what its caller may do. A call must pass every layer. */
export interface EffectivePolicy extends Policy {
  /** The caller's policy. */
  readonly within?: EffectivePolicy;
}

const SCOPES = ['sandboxed', 'project', 'full'] as const;

/**
 * A child's policy inside its parent's. Two patterns have no intersection that is a pattern again, so both are kept and both are asked.
 */
export function intersectPolicies(parent: EffectivePolicy, child: EffectivePolicy): EffectivePolicy {
  const within = child.within === undefined ? parent : intersectPolicies(parent, child.within);
  return { ...child, fsScope: lowerScope(parent.fsScope, child.fsScope), within };
}

function lowerScope(one: Policy['fsScope'], other: Policy['fsScope']): Policy['fsScope'] {
  return SCOPES[Math.min(SCOPES.indexOf(one), SCOPES.indexOf(other))]!;
}
