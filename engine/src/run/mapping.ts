import type { Evaluated, EvaluationFailure } from '../expression/evaluate.js';
import type { Expression } from '../expression/expression.js';
import type { Json, JsonObject } from '../json.js';
import type { Mapping } from '../plan/plan.js';

import type { ExtraNames } from './scope.js';

export type Mapped = { readonly ok: true; readonly values: JsonObject } | { readonly ok: false; readonly error: EvaluationFailure };

/** `output_mapping` on a tool's result. */
export function mapResult(mapping: Mapping, result: Json, text: (expression: Expression, names: ExtraNames) => Evaluated): Evaluated {
  const mapped = evaluateMapping(mapping, (expression) => text(expression, [['result', result]]));
  return mapped.ok ? { ok: true, value: mapped.values } : mapped.error;
}

/** Evaluates a mapping entry by entry; one that gives undefined is left out. */
export function evaluateMapping(mapping: Mapping, text: (expression: Expression) => Evaluated): Mapped {
  const values: [string, Json][] = [];
  for (const [name, expression] of mapping) {
    const result = text(expression);
    if (!result.ok) return { ok: false, error: { ...result, message: `${name}: ${result.message}` } };
    if (result.value !== undefined) values.push([name, result.value]);
  }
  return { ok: true, values: Object.fromEntries(values) };
}
