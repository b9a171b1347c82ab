import { type Evaluated, evaluate, parseExpression } from '@relavium/engine';
import { expressionVm } from '../../shared/expression-vm.js';
import { type Case, failed, type Judge, show, type Verdict, verdict } from '../case.js';
import { generate } from '../generator.js';
import { sameJson } from '../same-json.js';

/** Expressions as a run evaluates them: parsed by the engine, in the VM where one is needed. */
export const judge: Judge = (testCase) => {
  const text = (testCase.input === 'generator' ? generate(testCase.context.generator) : testCase.input) as string;
  const before = Reflect.ownKeys(Object.prototype).length;
  const answer = evaluateText(text, (testCase.context.vars ?? {}) as Record<string, never>);
  const after = Reflect.ownKeys(Object.prototype).length;
  if (before !== after || 'polluted' in {}) return failed('an untouched host', 'Object.prototype of the host was changed');
  return meets(testCase, answer);
};

type Answer = Evaluated | { readonly ok: false; readonly reason: 'syntax'; readonly message: string };

function evaluateText(text: string, vars: Record<string, never>): Answer {
  const parsed = parseExpression(text);
  if ('error' in parsed) return { ok: false, reason: 'syntax', message: parsed.error.message };
  return evaluate(parsed.expression, { names: new Map(Object.entries(vars)) }, expressionVm());
}

type Expected = {
  readonly value?: unknown;
  readonly error?: string;
  readonly blocked?: true;
  readonly contained?: true;
  readonly not_value?: unknown;
  readonly no_hang?: true;
  readonly no_crash?: true;
};

function meets(testCase: Case, answer: Answer): Verdict {
  const expected = testCase.expect as Expected;
  const found = answer.ok ? show(answer.value) : `${answer.reason}: ${answer.message}`;
  if ('value' in expected) return verdict(answer.ok && sameJson(answer.value, expected.value), show(expected.value), found);
  if (expected.error !== undefined) return verdict(!answer.ok, `an error such as ${expected.error}`, found);
  if (expected.blocked)
    return verdict(!answer.ok || answer.value === null || answer.value === undefined, 'an error, null or undefined', found);
  if (expected.contained) {
    // What comes out has crossed as JSON text, so no host object can be among it.
    const isForbidden = answer.ok && 'not_value' in expected && sameJson(answer.value, expected.not_value);
    return verdict(!isForbidden, `anything but ${show(expected.not_value)}`, found);
  }
  if (expected.no_hang || expected.no_crash) return verdict(true, 'any answer', found);
  return failed(show(expected), 'an expectation that this harness does not know');
}
