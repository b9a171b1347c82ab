import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../../engine/src/expression/evaluate.js';
import { isInherited } from '../../../../engine/src/expression/inherited-names.js';
import type { Scope } from '../../../../engine/src/expression/scope.js';
import type { Json } from '../../../../engine/src/json.js';
import { runScope } from './run-scope.js';
import { evaluated, inVm, parsed, resultOf, vm } from './vm.js';

/** Names that mean something to JavaScript, and a few that do not. */
const keys = fc.constantFrom(
  'a',
  'b',
  'x-y',
  '0',
  '1',
  '01',
  '-1',
  '1.5',
  '4294967295',
  'length',
  'constructor',
  'toString',
  '__proto__',
  'prototype',
  'map',
  'at',
  'values',
  'toFixed',
  'split',
  'hasOwnProperty',
  '',
  'ä€😀',
  'a'.repeat(70),
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

const step = fc.tuple(keys, fc.boolean(), fc.boolean()).map(([key, optional, isIndex]) => {
  const literal = isIndex && /^\d$/.test(key) ? key : JSON.stringify(key);
  return `${optional ? '?.' : ''}[${literal}]`;
});

describe('a plain path', () => {
  it('gives what the VM gives, on any value', () => {
    fc.assert(
      fc.property(values, fc.array(step, { maxLength: 4 }), (value, steps) => {
        const text = `ctx${steps.join('')}`;
        const scope: Scope = { names: new Map([['ctx', value]]) };
        expect(parsed(text).plain, text).toBeDefined();
        expect(evaluated(text, scope), text).toEqual(inVm(text, scope));
      }),
      { numRuns: 2000 },
    );
  });

  it('gives what the VM gives, below run', () => {
    fc.assert(
      fc.property(
        fc.dictionary(keys, values, { maxKeys: 3 }),
        fc.constantFrom('outputs', 'errors', 'id', 'started_at', 'gone'),
        fc.array(step, { maxLength: 3 }),
        (outputs, map, steps) => {
          const text = `run.${map}${steps.join('')}`;
          const scope: Scope = { names: new Map(), run: runScope(outputs, ['b'], { a: { code: 'x' } }) };
          expect(evaluated(text, scope), text).toEqual(inVm(text, scope));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('gives values by reference', () => {
    const list = [{ a: 1 }];
    expect(resultOf('ctx.list', { ctx: { list } })).toBe(list);
  });

  it('never asks the VM where it need not', () => {
    const scope: Scope = { names: new Map([['ctx', { a: { values: [1] }, list: [1], text: 'abc' }]]) };
    for (const [text, value] of [
      ['ctx.a.values[0]', 1],
      ['ctx.list.length', 1],
      ['ctx.text[1]', 'b'],
      ['ctx.list[5]', undefined],
      ['ctx.gone?.deeper', undefined],
      ['7', 7],
    ] as const)
      expect(evaluate(parsed(text), scope, undefined), text).toEqual({ ok: true, value });
  });

  it('leaves what is inherited to the VM', () => {
    expect(evaluated('ctx.list.map', { ctx: { list: [] } })).toMatchObject({ ok: false, reason: 'result_type' });
    expect(resultOf('ctx.list.map.length', { ctx: { list: [] } })).toBe(1);
    expect(resultOf('ctx.map', { ctx: {} })).toBeUndefined();
  });

  it('says as the VM does that there is no such name', () => {
    expect(evaluated('gone')).toEqual({ ok: false, reason: 'runtime', message: 'gone is not defined' });
    expect(inVm('gone')).toEqual(evaluated('gone'));
  });
});

describe('the list of inherited names', () => {
  it.each([
    ['Object', {}],
    ['Array', []],
    ['String', 'text'],
    ['Number', 1],
    ['Boolean', true],
  ] as const)('is what %s.prototype has in the VM', (name, value) => {
    const reply = vm.evaluate({ source: `(() => Object.getOwnPropertyNames(${name}.prototype))`, data: '[[],[]]', ask: () => '' });
    const [inherited] = JSON.parse((reply as { readonly text: string }).text) as [string[]];
    for (const key of inherited) expect(key === 'length' || isInherited(value, key), key).toBe(true);
    expect(isInherited(value, 'no_such_name')).toBe(false);
  });
});
