import type { Json } from '../json.js';
import { misfit } from '../json-limits.js';
import { checkValue } from '../validate/check-value.js';

export type CheckedAnswer = { readonly ok: true; readonly output: Json } | { readonly ok: false; readonly problems: readonly string[] };

/** A model's last words as the value that the schema asks for. Models like to put JSON into a fence; that is taken off. */
export function checkAnswer(text: string, schema: Json): CheckedAnswer {
  const fenced = /^```[a-z]*[^\S\n]*\n([\s\S]*?)\n?```$/i.exec(text.trim());
  let output: Json;
  try {
    output = JSON.parse(fenced?.[1] ?? text) as Json;
  } catch {
    return { ok: false, problems: [text.trim() === '' ? 'the answer is empty' : 'the answer is not JSON, or not JSON alone'] };
  }
  const unfit = misfit(output);
  if (unfit !== undefined) return { ok: false, problems: [`the answer is ${unfit}`] };
  const problems = checkValue(schema, output);
  return problems.length === 0 ? { ok: true, output } : { ok: false, problems };
}

/** What the instructions say of it, beside what the provider is asked for. */
export function answerRule(schema: Json): string {
  return `Your last answer is JSON alone, without a fence or words around it, and meets this JSON Schema:\n${JSON.stringify(schema)}`;
}

export function correctionOf(problems: readonly string[]): string {
  return `That answer does not meet the JSON Schema: ${problems.join('; ')}. Give the whole answer again, as JSON alone.`;
}
