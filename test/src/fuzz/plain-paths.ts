import { isDeepStrictEqual } from 'node:util';
import { type Evaluated, evaluate, evaluateInVm, type Json, jsonScope, parseExpression } from '@relavium/engine';
import fc from 'fast-check';
import { expressionVm } from '../shared/expression-vm.js';
import { checked } from './checked.js';
import type { FuzzRequest, FuzzResult } from './request.js';

/** A plain path is evaluated without the virtual machine: on any scope it gives what the machine gives, value or error. */
export async function fuzzPlainPaths(request: FuzzRequest): Promise<FuzzResult> {
  const counts = { runs: 0, values: 0, errors: 0 };
  const vm = expressionVm();
  const property = fc.property(values, fc.array(step, { maxLength: 5 }), (value, steps) => {
    const text = `ctx${steps.join('')}`;
    const parsed = parseExpression(text);
    if ('error' in parsed) throw new Error(`${text}: ${parsed.error.message}`);
    if (parsed.expression.plain === undefined) throw new Error(`${text} is not taken for a plain path`);
    const scope = jsonScope({ ctx: value });
    const plain = evaluate(parsed.expression, scope, vm);
    const inVm = evaluateInVm(parsed.expression, scope, vm);
    counts.runs++;
    counts[plain.ok ? 'values' : 'errors']++;
    if (!isSame(plain, inVm)) throw new Error(`${text}: plain ${JSON.stringify(plain)}, in the VM ${JSON.stringify(inVm)}`);
  });
  try {
    return await checked(request, property, counts);
  } finally {
    await vm.close();
  }
}

function isSame(plain: Evaluated, inVm: Evaluated): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(plain)), JSON.parse(JSON.stringify(inVm)));
}

/** Names that mean something to JavaScript, and some that do not. */
const keys = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'x-y', '0', '1', '01', '-1', '4294967295', 'length', '', '__proto__', 'prototype') },
  { weight: 2, arbitrary: fc.constantFrom('constructor', 'toString', 'map', 'at', 'values', 'toFixed', 'split', 'hasOwnProperty', 'then') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
);

const values: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, false, '', 'text', '😀b', 0, 1, -2.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(keys, tie('value')), { maxLength: 4, selector: ([key]) => key })
      .map((entries) => Object.fromEntries(entries) as Json),
  ),
})).value;

const step = fc.tuple(keys, fc.boolean(), fc.boolean()).map(([key, isOptional, isIndex]) => {
  const literal = isIndex && /^\d$/.test(key) ? key : JSON.stringify(key);
  return `${isOptional ? '?.' : ''}[${literal}]`;
});
