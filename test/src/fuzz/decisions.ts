import type { Answer, GateDecision, Outcome, PlanNode, Question } from '@relavium/engine';

/** What every node, expression and person says, fixed in advance: the order of events has no say in it. */
export interface Decisions {
  outcome(node: string, attempt: number): Outcome;
  answer(plan: PlanNode, node: string, question: Question): Answer;
  verdict(node: string, position: number): boolean;
  gate(node: string): GateDecision;
}

export function decisionsOf(seed: number): Decisions {
  const rounds = new Map<string, number>();
  const pick = (bound: number, ...about: readonly (string | number)[]): number => hash(`${seed}\n${about.join('\n')}`) % bound;
  return {
    outcome(node, attempt) {
      const roll = pick(10, 'outcome', node, attempt);
      if (roll < 7) return { kind: 'succeeded', output: { from: node, attempt } };
      const code = roll === 9 ? 'tool_denied' : 'tool_failed';
      return { kind: 'failed', code, message: 'as decided', details: {} };
    },
    answer(plan, node, question) {
      if (pick(20, 'error', node, question.kind) === 0) return { ok: false, code: 'expression_error', message: 'as decided', details: {} };
      switch (question.kind) {
        case 'if':
          return { ok: true, value: pick(4, 'if', node) > 0 };
        case 'merge':
          return { ok: true, value: { merged: question.branches } };
        case 'loop':
          return {
            ok: true,
            value:
              plan.type === 'loop' && plan.forEach !== undefined
                ? { items: Array.from({ length: pick(4, 'items', node) }, (_, item) => item) }
                : {},
          };
        case 'while': {
          const round = (rounds.get(node) ?? 0) + 1;
          rounds.set(node, round);
          return { ok: true, value: round <= pick(5, 'while', node) };
        }
        case 'item':
          return { ok: true, value: { value: question.index, done: pick(4, 'done', node, question.index) === 0 } };
        case 'child':
          return { ok: true, value: { inputs: {}, context: {} } };
        case 'child_outputs':
          return { ok: true, value: question.outputs };
        case 'value':
          return { ok: true, value: plan.type === 'condition' ? pick(plan.branches.length + 1, 'branch', node) : `value of ${node}` };
      }
    },
    verdict: (node, position) => pick(3, 'verdict', node, position) > 0,
    gate: (node) => ({ decision: pick(3, 'gate', node) === 0 ? 'rejected' : 'approved', by: 'someone' }),
  };
}

/** FNV-1a with a final mix, so that near texts give far numbers. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
