import type { Json } from '../json.js';
import { clip, type Evaluated, type EvaluationFailure, failed } from './evaluated.js';
import { isSmall } from './on-demand.js';

export type Decided = { readonly ok: true; readonly value: boolean } | EvaluationFailure;

/** What a condition decides: null and undefined count as false, and anything that is no boolean is an error. */
export function toBoolean(evaluated: Evaluated): Decided {
  if (!evaluated.ok) return evaluated;
  const { value } = evaluated;
  if (value === undefined || value === null) return { ok: true, value: false };
  if (typeof value === 'boolean') return { ok: true, value };
  return failed('result_type', `a condition must be true or false, and this is ${described(value)}`);
}

/** The kind of a value and as much of it as fits; a large one is only counted. */
function described(value: Exclude<Json, null | boolean>): string {
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'string') return `the text ${JSON.stringify(clip(value, MAX_SHOWN))}`;
  const kind = Array.isArray(value) ? 'a list' : 'an object';
  if (isSmall(value)) return `${kind}: ${clip(JSON.stringify(value), MAX_SHOWN)}`;
  return Array.isArray(value) ? `${kind} of ${value.length} elements` : `${kind} with ${Object.keys(value).length} keys`;
}

const MAX_SHOWN = 100;
