import { type EvaluationFailure, failed } from '../expression/evaluated.js';
import type { Json } from '../json.js';

export type JsonText = { readonly ok: true; readonly value: string } | EvaluationFailure;

/** A value inside a text: a text as it is, anything else as JSON on one line. */
export function textOf(value: Json): JsonText {
  return typeof value === 'string' ? { ok: true, value } : jsonText(value);
}

/** JSON text; a value that came from outside may be nested deeper than can be written. */
export function jsonText(value: Json, indent?: number): JsonText {
  try {
    return { ok: true, value: JSON.stringify(value, undefined, indent) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failed('result_type', 'the value is nested too deeply, or too large, to be written as JSON');
  }
}
