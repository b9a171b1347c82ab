import type { ErrorObject } from 'ajv';
import type { Json } from '../json.js';
import { clip } from '../masking/clip.js';
import { showControls } from '../masking/show-controls.js';
import { type Check, compileCheck } from './compile-check.js';

const checks = new WeakMap<object, Check>();

/**
 * What is wrong with a value under an author's JSON Schema (2020-12), one sentence a problem; none: it is valid. The schema was judged
 * when the workflow was compiled (well formed, no remote reference, bounded work).
 */
export function checkValue(schema: Json, value: Json): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return schema === false ? ['no value is allowed'] : [];
  let check = checks.get(schema);
  if (check === undefined) {
    check = compileCheck(schema);
    checks.set(schema, check);
  }
  return check(value).slice(0, MAX_PROBLEMS).map(sentence);
}

const MAX_PROBLEMS = 20;

/** Names of properties come from whoever made the value, and may be anything: one line, and not long. */
function sentence({ instancePath, message, params }: ErrorObject): string {
  const extra = 'additionalProperty' in params ? ` ${JSON.stringify(clip(String(params.additionalProperty), 100))}` : '';
  const place = instancePath === '' ? 'the value' : clip(showControls(instancePath, 'log_line'), 200);
  return `${place} ${message ?? 'is not valid'}${extra}`;
}
