import { clip, type Evaluated, type EvaluationFailure, failed } from './evaluated.js';

export type Decided = { readonly ok: true; readonly value: boolean } | EvaluationFailure;

/** What a condition decides: null and undefined count as false, and anything that is no boolean is an error. */
export function toBoolean(evaluated: Evaluated): Decided {
  if (!evaluated.ok) return evaluated;
  const { value } = evaluated;
  if (value === undefined || value === null) return { ok: true, value: false };
  if (typeof value === 'boolean') return { ok: true, value };
  const type = typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'an object') : `a ${typeof value === 'string' ? 'text' : 'number'}`;
  return failed('result_type', `a condition must be true or false, and this is ${type}: ${clip(JSON.stringify(value), MAX_SHOWN)}`);
}

const MAX_SHOWN = 100;
