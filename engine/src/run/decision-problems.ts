import type { GateDecision } from '../events/run-event.js';
import { misfit } from '../json-limits.js';
import type { GateNodePlan } from '../plan/plan.js';
import { checkValue } from '../validate/check-value.js';

/** Why a decision does not suit its gate, in sentences. Every gate can be rejected. */
export function decisionProblems(gate: GateNodePlan, decision: GateDecision): readonly string[] {
  if (decision.decision === 'rejected') return [];
  const wanted = gate.gateType === 'input' ? 'input_provided' : 'approved';
  if (decision.decision !== wanted)
    return [`a gate of type ${gate.gateType} is decided by ${wanted} or rejected, not by ${decision.decision}`];
  const unfit = misfit(decision.payload ?? null);
  if (unfit !== undefined) return [`the answer is ${unfit}`];
  if (gate.inputSchema === undefined) return [];
  return checkValue(gate.inputSchema, decision.payload ?? null);
}
