import { expect, it } from 'vitest';
import type { GateNodePlan } from '../../../../engine/src/plan/plan.js';
import { decisionProblems } from '../../../../engine/src/run/decision-problems.js';

const gate = (gateType: GateNodePlan['gateType'], inputSchema?: GateNodePlan['inputSchema']): GateNodePlan => ({
  type: 'human_gate',
  index: 0,
  id: 'ask',
  at: [],
  in: [],
  out: [],
  join: 'wait_all',
  continueOnError: false,
  gateType,
  timeoutAction: 'reject',
  approves: [],
  ...(inputSchema === undefined ? {} : { inputSchema }),
});

it('every gate can be rejected', async () => {
  for (const type of ['approval', 'input', 'review'] as const)
    expect(await decisionProblems(gate(type), { decision: 'rejected', by: 'x' })).toEqual([]);
});

it('an approval and a review are approved, an input is given one', async () => {
  expect(await decisionProblems(gate('approval'), { decision: 'approved', by: 'x' })).toEqual([]);
  expect(await decisionProblems(gate('review'), { decision: 'input_provided', by: 'x', payload: 1 })).toHaveLength(1);
  expect(await decisionProblems(gate('input'), { decision: 'approved', by: 'x' })).toHaveLength(1);
});

it('an input is to meet the schema of its gate', async () => {
  const asks = gate('input', { type: 'string' });
  expect(await decisionProblems(asks, { decision: 'input_provided', by: 'x', payload: 'boat' })).toEqual([]);
  expect(await decisionProblems(asks, { decision: 'input_provided', by: 'x', payload: 1 })).toEqual(['the value must be string']);
  expect(await decisionProblems(asks, { decision: 'input_provided', by: 'x' })).toHaveLength(1);
});
