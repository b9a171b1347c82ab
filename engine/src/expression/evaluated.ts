import type { Json } from '../json.js';

export type ExpressionErrorReason = 'syntax' | 'runtime' | 'result_type' | 'memory' | 'stack' | 'budget' | 'timeout' | 'scope';

export type Evaluated = { readonly ok: true; readonly value: Json | undefined } | EvaluationFailure;

export interface EvaluationFailure {
  readonly ok: false;
  readonly reason: ExpressionErrorReason;
  /** At most 500 characters; may hold text of the data, control characters included. */
  readonly message: string;
}

export function failed(reason: ExpressionErrorReason, message: string): EvaluationFailure {
  return { ok: false, reason, message: clip(message, MAX_MESSAGE) };
}

const MAX_MESSAGE = 500;

/** The text itself, or its beginning and an ellipsis, together at most `limit` UTF-16 units and never half of a surrogate pair. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
