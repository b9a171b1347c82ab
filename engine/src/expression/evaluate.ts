import type { ExpressionVm } from '../ports/expression-vm.js';
import { type Evaluated, failed } from './evaluated.js';
import type { Expression } from './expression.js';
import { marshal } from './marshal.js';
import { evaluatePlainPath } from './plain-path.js';
import type { Scope } from './scope.js';

export type { Evaluated, EvaluationFailure, ExpressionErrorReason } from './evaluated.js';
export type { Lookup, RunScope, Scope } from './scope.js';

/**
 * The value of an expression in a scope. Synchronous and pure: the same expression and scope give the same result, in any order of
 * evaluations. A literal or plain path needs no `vm` and gives what the VM would give, by reference.
 */
export function evaluate(expression: Expression, scope: Scope, vm: ExpressionVm | undefined): Evaluated {
  const plain = expression.plain === undefined ? undefined : evaluatePlainPath(expression.plain, scope);
  if (plain !== undefined && plain !== 'needs_vm') return plain;
  if (vm === undefined) return failed('runtime', 'this expression needs the expression VM, which this host does not have');
  return evaluateInVm(expression, scope, vm);
}

/** As `evaluate`, but always in the VM, plain path or not. */
export function evaluateInVm(expression: Expression, scope: Scope, vm: ExpressionVm): Evaluated {
  const marshalled = marshal(expression, scope);
  if (!marshalled.ok) return failed('scope', marshalled.message);
  const source = `(function(${marshalled.parameters.join(',')}){"use strict";return(\n${expression.text}\n)})`;
  const reply = vm.evaluate({ source, data: marshalled.data, ask: marshalled.ask });
  // A refused read counts even when the expression caught the error: what came of it is not a result.
  const refusal = marshalled.refusal();
  if (refusal !== undefined) return failed('scope', refusal);
  if (!reply.ok) return failed(reply.reason, reply.message);
  return { ok: true, value: reply.text === undefined ? undefined : marshalled.value(reply.text) };
}
