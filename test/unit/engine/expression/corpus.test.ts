import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Evaluated } from '../../../../engine/src/expression/evaluate.js';
import { evaluate } from '../../../../engine/src/expression/evaluate.js';
import { parseExpression } from '../../../../engine/src/expression/parse.js';
import { jsonScope } from '../../../../engine/src/expression/scope.js';
import type { Json } from '../../../../engine/src/json.js';
import { vm } from './vm.js';

interface Case {
  readonly id: string;
  readonly input: string;
  readonly context: { readonly vars: { readonly [name: string]: Json }; readonly generator?: { readonly parts: readonly Part[] } };
  readonly expect: Expected;
  readonly why: string;
}

interface Expected {
  readonly value?: unknown;
  readonly error?: 'syntax' | 'type';
  readonly blocked?: true;
  readonly contained?: true;
  readonly not_value?: unknown;
  readonly no_crash?: true;
}

type Part = string | { readonly repeat: string; readonly count: number };

const lines = readFileSync(new URL('../../../cases/security/expressions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const cases = lines.map((line) => JSON.parse(line) as Case);

function textOf({ input, context }: Case): string {
  if (context.generator === undefined) return input;
  return context.generator.parts.map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.count))).join('');
}

function answerTo(testCase: Case): Evaluated {
  const parsed = parseExpression(textOf(testCase));
  if ('error' in parsed) return { ok: false, reason: 'syntax', message: parsed.error.message };
  return evaluate(parsed.expression, jsonScope(testCase.context.vars), vm);
}

it('covers the whole corpus', () => {
  expect(cases.length).toBe(39);
});

it.each(cases)('$id: $why', (testCase) => {
  const answer = answerTo(testCase);
  const { expect: wanted } = testCase;
  if ('value' in wanted) expect(answer).toEqual({ ok: true, value: wanted.value });
  else if (wanted.error === 'syntax') expect(answer).toMatchObject({ ok: false, reason: 'syntax' });
  else if (wanted.error === 'type') expect(answer).toMatchObject({ ok: false, reason: 'runtime' });
  else if (wanted.blocked === true) expect(answer.ok ? (answer.value ?? null) : null).toBeNull();
  else if (wanted.contained === true) expect(answer.ok && 'not_value' in wanted && answer.value === wanted.not_value).toBe(false);
  else expect(wanted).toEqual({ no_crash: true });
  expect('polluted' in {}).toBe(false);
});
