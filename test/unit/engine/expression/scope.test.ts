import { describe, expect, it } from 'vitest';
import type { Scope } from '../../../../engine/src/expression/scope.js';
import type { Json } from '../../../../engine/src/json.js';
import { runScope } from './run-scope.js';
import { crossing, evaluated, inVm, reasonOf, resultOf } from './vm.js';

const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['x', 'y'] }));
const table = Object.fromEntries(rows.map((row) => [`key ${row.id}`, row]));

function scopeWith(names: { readonly [name: string]: Json }, run?: Scope['run']): Scope {
  return { names: new Map(Object.entries(names)), ...(run === undefined ? {} : { run }) };
}

const large = scopeWith({ ctx: { rows, table, n: 3, text: 'x'.repeat(50_000) } });

describe('what crosses to the VM', () => {
  it.each([
    ['ctx.n + 1', 4],
    ['ctx.rows[7].id + ctx.n', 10],
    ['ctx.rows.length + 1', 2001],
    ['ctx.text.length + 1', 50_001],
    ['ctx.table["key 5"].name + "!"', 'row 5!'],
    ['(ctx.rows[5000] ?? "none") + ""', 'none'],
    ['ctx.rows[ctx.n].name', 'row 3'],
    ['ctx.table["key " + ctx.n].name', 'row 3'],
    ['ctx.rows.at(-1).id', 1999],
    ['Array.isArray(ctx.rows)', true],
    ['ctx.rows.slice(0, 2).length', 2],
    ['ctx.rows.some(row => row.id === 1)', true],
    ['"key 5" in ctx.table', true],
    ['typeof ctx', 'object'],
  ])('is not what %s does not read', (text, value) => {
    const { result, sent } = crossing(text, large);
    expect(result).toEqual({ ok: true, value });
    expect(sent).toBeLessThan(1500);
  });

  it('does not come back when it comes back as it was', () => {
    const { result, sent, received } = crossing('[{ first: ctx.rows, again: ctx.table, n: ctx.rows.length }, ctx]', large);
    expect(sent + received).toBeLessThan(500);
    const [made, whole] = (result as { readonly value: [{ first: unknown; again: unknown; n: number }, unknown] }).value;
    expect(made).toEqual({ first: rows, again: table, n: 2000 });
    expect(made.first).toBe(rows);
    expect(whole).toBe(large.names.get('ctx'));
  });

  it('takes few questions when a list is read through', () => {
    const { result, questions } = crossing('ctx.rows.map(row => row.id).length', large);
    expect(result).toEqual({ ok: true, value: 2000 });
    expect(questions.length).toBeLessThan(20);
  });

  it('is cut into questions that each bring a bounded answer', () => {
    const lines = Array.from({ length: 100 }, (_, i) => `${i}`.repeat(20_000));
    const { result, questions } = crossing('ctx.lines.map(line => line.length)', scopeWith({ ctx: { lines } }));
    expect(result).toMatchObject({ ok: true });
    expect(questions.length).toBeGreaterThan(20);
  });
});

describe('a value that is read on demand', () => {
  it.each([
    ['Object.keys(ctx.table).length', 2000],
    ['Object.keys(ctx.table).slice(0, 2)', ['key 0', 'key 1']],
    ['Object.entries(ctx.table).map(([key, row]) => row.id)[1999]', 1999],
    ['Object.values({...ctx.table}).length', 2000],
    ['Object.assign({}, ctx.table)["key 9"].id', 9],
    ['JSON.stringify(ctx.rows) === JSON.stringify([...ctx.rows])', true],
    ['(() => { let sum = 0; for (const key in ctx.table) sum += ctx.table[key].id; return sum })()', 1_999_000],
    ['(() => { let sum = 0; for (const row of ctx.rows) sum += row.id; return sum })()', 1_999_000],
    ['ctx.rows.concat([1]).length', 2001],
    ['ctx.rows.toSorted((a, b) => b.id - a.id)[0].id', 1999],
    ['ctx.rows.filter(row => row.id % 500 === 0).map(row => row.name)', ['row 0', 'row 500', 'row 1000', 'row 1500']],
    ['ctx.rows.indexOf(ctx.rows[5])', 5],
    ['ctx.rows === ctx.rows', true],
    ['ctx.rows[5] === ctx.rows[5]', true],
    ['Object.hasOwn(ctx.table, "key 1") && !ctx.table.hasOwnProperty("gone")', true],
    ['Object.getOwnPropertyDescriptor(ctx.table, "key 2").value.id', 2],
    ['Reflect.getOwnPropertyDescriptor(ctx.rows, 2).value.id', 2],
    ['Object.getOwnPropertyDescriptors(ctx.table)["key 3"].value.id', 3],
    ['ctx.rows.constructor === Array && ctx.table.constructor === Object', true],
    ['ctx.rows.length = 2, ctx.rows.map(row => row.id)', [0, 1]],
    ['ctx.rows.length = 2, [ctx.rows[5] ?? null, ctx.rows.length]', [null, 2]],
    ['delete ctx.table["key 0"], [Object.keys(ctx.table).length, ctx.table["key 0"] ?? null]', [1999, null]],
    ['(() => { ctx.table.added = 1; return Object.keys(ctx.table).at(-1) })()', 'added'],
    ['(() => { ctx.rows[1] = "mine"; return ctx.rows.slice(0, 3).map(row => row.id ?? row) })()', [0, 'mine', 2]],
    ['(() => { ctx.rows.push("last"); return [ctx.rows.length, ctx.rows[2000]] })()', [2001, 'last']],
    ['(() => { "use strict"; Object.freeze(ctx.table); try { ctx.table.x = 1 } catch { return "frozen" } })()', 'frozen'],
    ['Object.create(ctx.table)["key 4"].id', 4],
    ['ctx.table["key 1999"].tags[1] + ctx.rows[-1]', 'yundefined'],
  ])('behaves like any other: %s', (text, value) => {
    expect(resultOf(text, large)).toEqual(value);
  });

  it('comes back whole with what was changed in it', () => {
    expect((resultOf('(() => { ctx.rows[3].id = "changed"; return ctx.rows })()', large) as readonly unknown[]).slice(2, 5)).toEqual([
      rows[2],
      { ...rows[3], id: 'changed' },
      rows[4],
    ]);
    expect(resultOf('(() => { delete ctx.table["key 1"]; return ctx.table })()', large)).toEqual(
      Object.fromEntries(Object.entries(table).filter(([key]) => key !== 'key 1')),
    );
    const whole = resultOf('(() => { ctx.rows[3].id = "changed"; delete ctx.table["key 1"]; return ctx })()', large) as {
      readonly rows: typeof rows;
      readonly table: object;
    };
    expect([whole.rows[3]?.id, Object.keys(whole.table).length]).toEqual(['changed', 1999]);
    expect(rows[3]?.id).toBe(3);
  });

  it('keeps the order of its keys, whatever was read first', () => {
    const keys = resultOf('(() => { ctx.table["key 1500"].id; return Object.keys(ctx.table) })()', large);
    expect(keys).toEqual(Object.keys(table));
    expect(Object.keys(resultOf('(() => { ctx.table["key 1500"].id; return { ...ctx.table } })()', large) as object)).toEqual(keys);
  });

  it('may be nested deeper than any stack', () => {
    let deep: Json = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(resultOf('ctx.deep[n][0][0].length', { ctx: { deep }, n: 0 })).toBe(1);
    expect(resultOf('[ctx.deep].length', { ctx: { deep } })).toBe(1);
  });
});

describe('run', () => {
  const run = runScope({ a: { score: 1, rows }, b: { score: 2 } }, ['later'], { c: { code: 'tool_failed' } });
  const scope = scopeWith({ k: 'a', ctx: {} }, run);

  it.each([
    ['run.outputs["a"].score + 1', 2],
    ['run.outputs[k].score', 1],
    ['run.errors.c.code + ""', 'tool_failed'],
    ['run.id + run.started_at', 'run-12024-05-06T07:08:09.000Z'],
    ['Object.keys(run.outputs)', ['a', 'b']],
    ['Object.keys(run.outputs).map(id => run.outputs[id].score)', [1, 2]],
    ['(r => r.outputs.b.score)(run)', 2],
    ['Object.keys(run)', ['id', 'started_at', 'outputs', 'errors', 'captured']],
    ['run.errors', { c: { code: 'tool_failed' } }],
    ['"b" in run.outputs && !("x" in run.outputs)', true],
    ['run.gone ?? "none"', 'none'],
  ])('answers %s', (text, value) => {
    expect(resultOf(text, scope)).toEqual(value);
  });

  it('gives undefined for a node that is not there or was skipped', () => {
    expect(evaluated('run.outputs["x"]', scope)).toEqual({ ok: true, value: undefined });
    expect(evaluated('run.outputs[k + k]', scope)).toEqual({ ok: true, value: undefined });
    expect(evaluated('run.outputs.x.y', scope)).toMatchObject({ reason: 'runtime', message: "cannot read property 'y' of undefined" });
  });

  it.each([
    'run.outputs.later',
    'run.outputs.later.x + 1',
    'run.outputs["la" + "ter"]',
    '"later" in run.outputs',
    'run["out" + "puts"].later',
    '(() => { try { return run.outputs["la" + "ter"] } catch { return 1 } })()',
    '(() => { try { return run["outputs"]["la" + "ter"].x } finally { return 1 } })()',
  ])('refuses a node that is not upstream, even where the error is caught: %s', (text) => {
    expect(evaluated(text, scope)).toEqual({
      ok: false,
      reason: 'scope',
      message: 'run.outputs["later"]: the node exists but is not upstream of this one, so it cannot be read here',
    });
  });

  it('is a name like any other where there is no run', () => {
    expect(resultOf('run.x + 1', { run: { x: 1 } })).toBe(2);
  });
});

describe('a secret', () => {
  const inputs = { token: { $secret: 'token' }, n: 1, k: 'token' };
  const scope = scopeWith({ inputs, ctx: { all: inputs, list: [inputs.token] } });

  it.each([
    'inputs.token',
    'inputs.token.length',
    'inputs.token + ""',
    'inputs[inputs.k]',
    'JSON.stringify(inputs)',
    '{...inputs}',
    'Object.values(inputs)',
    'ctx.list.map(x => x)',
    '(() => { try { return inputs["tok" + "en"] } catch { return 1 } })()',
    '[inputs.n, inputs.token]',
  ])('cannot be read: %s', (text) => {
    expect(evaluated(text, scope)).toEqual({
      ok: false,
      reason: 'scope',
      message: 'the value of secret "token" is in no scope: only a credential slot can use it',
    });
    expect(inVm(text, scope)).toEqual(evaluated(text, scope));
  });

  it.each([
    ['inputs.n + 1', 2],
    ['Object.keys(inputs)', ['token', 'n', 'k']],
    ['"token" in inputs', true],
    ['ctx.list.length + 0', 1],
    ['inputs', inputs],
  ])('does not stand in the way of what is beside it: %s', (text, value) => {
    expect(resultOf(text, scope)).toEqual(value);
    expect(inVm(text, scope)).toEqual({ ok: true, value });
  });

  it('is told by its exact shape', () => {
    expect(reasonOf('ctx.a + ctx.b.$secret', { ctx: { a: 1, b: { $secret: 'x', more: 1 } } })).toBe('value "1x"');
  });
});
