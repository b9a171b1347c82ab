import type { Json } from '../json.js';
import { parseInstant } from '../validate/parse-instant.js';
import { startChild } from './child.js';
import { finish, judge } from './finish.js';
import { openGate } from './gate.js';
import { startLoop, takeItem, takeWhile } from './loop.js';
import type { Answer, Question } from './messages.js';
import { failed, type Outcome } from './outcome.js';
import { isGoing } from './run-state.js';
import { skip } from './skip.js';
import { begin, mayStart, waitUntil } from './start.js';
import { emitStarted, type NodeView, type Step, view } from './step.js';

/** What an evaluation gave. An answer for a node that has ended, or for an earlier attempt, is too late and changes nothing. */
export function takeAnswer(step: Step, node: NodeView | undefined, attempt: number, question: Question, answer: Answer): void {
  if (node === undefined || node.state.attempt !== attempt) return;
  const isReady = node.state.status === 'ready';
  const isRunning = isGoing(node.state);
  switch (question.kind) {
    case 'if':
      return isReady ? takeIf(step, node, answer) : undefined;
    case 'loop':
      return isReady && mayStart(step, node) ? startLoop(step, node, answer) : undefined;
    case 'child':
      return isReady && mayStart(step, node) ? startChild(step, node, answer) : undefined;
    case 'while':
      return isRunning ? takeWhile(step, node, answer) : undefined;
    case 'item':
      return isRunning ? takeItem(step, node, question.index, answer) : undefined;
    case 'value':
    case 'merge':
    case 'child_outputs':
      return isRunning ? takeValue(step, node, answer) : undefined;
    default:
      return question satisfies never;
  }
}

function takeIf(step: Step, node: NodeView, answer: Answer): void {
  if (!answer.ok) {
    // The same state gives the same error again: there is nothing to retry.
    emitStarted(step, node);
    const { ok: _, ...failure } = answer;
    return judge(step, view(step, node), { kind: 'failed', ...failure });
  }
  if (answer.value === true) return begin(step, node);
  skip(step, node, { reason: 'condition_false', condition: { text: node.plan.if!.text, values: answer.seen ?? {} } });
}

function takeValue(step: Step, node: NodeView, answer: Answer): void {
  const { attempt } = node.state;
  if (!answer.ok) {
    const { ok: _, ...failure } = answer;
    return finish(step, node, attempt, { kind: 'failed', ...failure });
  }
  if (node.state.stopping !== undefined) return finish(step, node, attempt, { kind: 'cancelled' });
  switch (node.plan.type) {
    case 'human_gate':
      return openGate(step, node, typeof answer.value === 'string' ? answer.value : JSON.stringify(answer.value ?? null), answer.tree);
    case 'wait':
      return takeInstant(step, node, answer.value);
    case 'condition':
      return finish(step, node, attempt, chosen(node, answer.value));
    case 'fail':
      return finish(
        step,
        node,
        attempt,
        failed(node.plan.code, typeof answer.value === 'string' ? answer.value : JSON.stringify(answer.value ?? null)),
      );
    default:
      return finish(step, node, attempt, valueOutcome(answer.value));
  }
}

function valueOutcome(value: Json | undefined): Outcome {
  return value === undefined
    ? failed('expression_error', 'the expression gave undefined, which is no value', { reason: 'result_type' })
    : { kind: 'succeeded', output: value };
}

function takeInstant(step: Step, node: NodeView, value: Json | undefined): void {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  if (instant !== undefined) return waitUntil(step, node, instant);
  const message = `until is to be an instant such as 2030-01-31T08:00:00Z, and is ${JSON.stringify(value)}`;
  finish(step, node, node.state.attempt, failed('validation', message));
}

/** The branch whose `when` is the value, by `===`; else the default. */
function chosen(node: NodeView, value: Json | undefined): Outcome {
  if (node.plan.type !== 'condition') throw new Error('not a condition');
  if (typeof value !== 'boolean' && typeof value !== 'string' && typeof value !== 'number') {
    const found = value === undefined ? 'undefined' : value === null ? 'null' : Array.isArray(value) ? 'a list' : `an ${typeof value}`;
    return failed('expression_error', `a condition gives a boolean, a text or a number; this one gave ${found}`, { reason: 'result_type' });
  }
  const branch = node.plan.branches.find(({ when }) => when === value);
  const edgeIndex = branch?.edge ?? node.plan.defaultEdge;
  if (edgeIndex === undefined) {
    const known = node.plan.branches.map(({ when }) => JSON.stringify(when)).join(', ');
    return failed('no_branch_matched', `${described(value)} is none of ${known}, and there is no default`, { value });
  }
  const edge = node.in.plan.edges[edgeIndex]!;
  const target = node.in.plan.nodes[edge.to]!.id;
  return { kind: 'succeeded', output: { value, target }, ...(edge.handle === undefined ? {} : { selected: edge.handle }) };
}

/** With its type, since the text "false" is not the boolean false. */
function described(value: boolean | string | number): string {
  return `the ${typeof value === 'string' ? 'text' : typeof value} ${JSON.stringify(value)}`;
}
