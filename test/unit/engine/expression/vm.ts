import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Evaluated, evaluate, evaluateInVm, type Scope } from '../../../../engine/src/expression/evaluate.js';
import type { Expression } from '../../../../engine/src/expression/expression.js';
import { parseExpression } from '../../../../engine/src/expression/parse.js';
import { jsonScope } from '../../../../engine/src/expression/scope.js';
import type { Json } from '../../../../engine/src/json.js';
import type { ExpressionVm, ExpressionVmRequest } from '../../../../engine/src/ports/expression-vm.js';
import { createInProcessVm } from '../../../../engine/src/testing/in-process-vm.js';

const wasm = readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'));

/** The VM of the real binary, on this thread. */
export const vm: ExpressionVm = await createInProcessVm(wasm);

export function parsed(text: string): Expression {
  const result = parseExpression(text);
  if ('error' in result) throw new Error(`${text}: ${result.error.message}`);
  return result.expression;
}

type Names = { readonly [name: string]: Json };

function asScope(scope: Scope | Names): Scope {
  return scope.names instanceof Map ? (scope as Scope) : jsonScope(scope as Names);
}

export function evaluated(text: string, scope: Scope | Names = {}): Evaluated {
  return evaluate(parsed(text), asScope(scope), vm);
}

/** In the VM, also what would not need it. */
export function inVm(text: string, scope: Scope | Names = {}): Evaluated {
  return evaluateInVm(parsed(text), asScope(scope), vm);
}

/** The value; fails the test when there is none. */
export function resultOf(text: string, scope: Scope | Names = {}): Json | undefined {
  const result = evaluated(text, scope);
  if (!result.ok) throw new Error(`${text}: ${result.reason}: ${result.message}`);
  return result.value;
}

export function reasonOf(text: string, scope: Scope | Names = {}): string {
  const result = evaluated(text, scope);
  return result.ok ? `value ${JSON.stringify(result.value)}` : result.reason;
}

export interface Crossing {
  readonly result: Evaluated;
  /** Characters of data that went in, answers to questions included. */
  readonly sent: number;
  readonly received: number;
  readonly questions: readonly string[];
}

/** Evaluates and records what crossed. */
export function crossing(text: string, scope: Scope | Names): Crossing {
  let sent = 0;
  let received = 0;
  const questions: string[] = [];
  const recording: ExpressionVm = {
    evaluate: (request: ExpressionVmRequest) => {
      sent += request.data.length;
      const ask = (question: string): string => {
        questions.push(question);
        const answer = request.ask(question);
        sent += answer.length;
        return answer;
      };
      const reply = vm.evaluate({ ...request, ask });
      if (reply.ok) received += reply.text?.length ?? 0;
      return reply;
    },
  };
  return { result: evaluateInVm(parsed(text), asScope(scope), recording), sent, received, questions };
}
