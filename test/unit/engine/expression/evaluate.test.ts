import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../../engine/src/expression/evaluate.js';
import { jsonScope } from '../../../../engine/src/expression/scope.js';
import { evaluated, inVm, parsed, reasonOf, resultOf, vm } from './vm.js';

const data = { ctx: { n: 3, text: 'abc', list: [1, 2, 3], nested: { a: { b: [{ c: 5 }] } } } };

describe('the language', () => {
  it.each([
    ['{a: 1}', { a: 1 }],
    ['{a: 1}.a', 1],
    ['1, 2', 2],
    ['ctx.n * 2 // doubled', 6],
    ['ctx.nested.a.b[0].c < 7 && ctx.list.length > 2', true],
    ['ctx.list.map(x => x * ctx.n)', [3, 6, 9]],
    ['(() => { let sum = 0; for (const x of ctx.list) sum += x; return sum })()', 6],
    ['ctx.text.replace(/b/g, "-").toUpperCase()', 'A-C'],
    ['new Map([[1, 2]]).get(1)', 2],
    ['[...new Set([1, 1, 2])]', [1, 2]],
    ['JSON.parse(JSON.stringify(ctx.nested))', { a: { b: [{ c: 5 }] } }],
    ['Object.groupBy(ctx.list, x => x % 2 ? "odd" : "even")', { odd: [1, 3], even: [2] }],
    ['(function () { return this })() === undefined', true],
    ['typeof nope', 'undefined'],
    ['[..."añ😀"].length', 3],
    ['"\\ud83d" + "\\ude00"', '😀'],
    ['Number(2n ** 60n % 1000n)', 976],
  ])('evaluates %s', (text, value) => {
    expect(resultOf(text, data)).toEqual(value);
  });

  it('is strict', () => {
    expect(evaluated('(() => { undeclared = 1 })()')).toMatchObject({ ok: false, reason: 'runtime', message: 'undeclared is not defined' });
  });

  it('binds names of the scope before built-ins, and never as text', () => {
    expect(resultOf('Math', { Math: 5 })).toBe(5);
    expect(resultOf('undefined', { undefined: 5 })).toBeUndefined();
    expect(resultOf('s === "x"', { s: '" || true || "' })).toBe(false);
  });

  it('gives undefined for a name that is known and has no value', () => {
    const scope = { names: new Map([['prev', undefined]]) };
    expect(evaluated('prev', scope)).toEqual({ ok: true, value: undefined });
    expect(evaluated('prev === undefined', scope)).toEqual({ ok: true, value: true });
  });
});

describe('the result', () => {
  it('leaves out a key whose value is undefined, and is undefined itself', () => {
    expect(resultOf('{a: undefined, b: 1}')).toEqual({ b: 1 });
    expect(evaluated('[][0]')).toEqual({ ok: true, value: undefined });
  });

  it('keeps keys as they are', () => {
    const value = resultOf('JSON.parse("{\\"__proto__\\": 1, \\"constructor\\": 2, \\"\\": 3}")') as object;
    expect(Object.entries(value)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['', 3],
    ]);
  });

  it.each([
    ['new Map', 'the result is a Map, which JSON cannot hold'],
    ['[new Set]', 'result[0] is a Set, which JSON cannot hold'],
    ['{a: {b: x => x}}', 'result.a.b is a function, which JSON cannot hold'],
    ['{"a b": Symbol()}', 'result["a b"] is a symbol, which JSON cannot hold'],
    ['[1, NaN]', 'result[1] is NaN, which JSON cannot hold'],
    ['1 / 0', 'the result is Infinity, which JSON cannot hold'],
    ['-1 / 0', 'the result is -Infinity, which JSON cannot hold'],
    ['-1e999', 'the result is -Infinity, which JSON cannot hold'],
    ['{n: 10n}', 'result.n is a bigint, which JSON cannot hold'],
    ['/x/', 'the result is a RegExp, which JSON cannot hold'],
    ['new Error("x")', 'the result is an Error, which JSON cannot hold'],
    ['Object("x")', 'the result is a String, which JSON cannot hold'],
    ['new (class Point { x = 1 })', 'the result is a Point, which JSON cannot hold'],
    ['[undefined]', 'result[0] is undefined or a hole: a list in a result needs a value or null in every place'],
    ['[1, , 2]', 'result[1] is undefined or a hole: a list in a result needs a value or null in every place'],
    ['{a: new Array(2)}', 'result.a[0] is undefined or a hole: a list in a result needs a value or null in every place'],
    ['(a => { a.a = a; return a })({})', 'result.a contains itself'],
    ['"x".match(/x/)', 'the result is a list with named properties, which JSON would lose; copy it with [...list]'],
    ['{[Symbol.iterator]: 1}', 'the result has a symbol as a key, which JSON would lose'],
    ['(() => { let a = 1; for (let i = 0; i < 2000; i++) a = [a]; return a })()', 'the result is nested more than 1000 levels deep'],
  ])('is refused where JSON would bend it: %s', (text, message) => {
    expect(evaluated(text)).toEqual({ ok: false, reason: 'result_type', message });
  });

  it('may hold one value twice', () => {
    expect(resultOf('(a => [a, a])({x: 1})')).toEqual([{ x: 1 }, { x: 1 }]);
  });
});

describe('an error', () => {
  it.each([
    ['ctx.gone.score', "cannot read property 'score' of undefined"],
    ['null.x', "cannot read property 'x' of null"],
    ['(() => { throw new Error("my \\u001b[31mwords") })()', 'my \u001b[31mwords'],
    ['(() => { throw "text" })()', 'text'],
    ['(() => { throw 5 })()', '5'],
    ['(() => { throw {} })()', 'an object without a message was thrown'],
    ['(() => { throw Symbol() })()', 'a symbol was thrown'],
    ['(() => { throw { get message() { throw 1 } } })()', 'an object whose message cannot be read was thrown'],
  ])('keeps its own words: %s', (text, message) => {
    expect(evaluated(text, data)).toEqual({ ok: false, reason: 'runtime', message });
  });

  it('is clipped, not through a character', () => {
    const result = evaluated('(() => { throw new Error("x".repeat(498) + "😀😀" + "y".repeat(1e6)) })()');
    expect(result).toMatchObject({ ok: false, reason: 'runtime', message: `${'x'.repeat(498)}…` });
  });

  it('of a getter while the result is read is one of the expression', () => {
    expect(evaluated('{get a() { throw new Error("late") }}')).toMatchObject({ ok: false, reason: 'runtime', message: 'late' });
  });

  it('says that a VM is needed where there is none', () => {
    expect(evaluate(parsed('1 + 1'), jsonScope({}), undefined)).toMatchObject({ ok: false, reason: 'runtime' });
    expect(evaluate(parsed('ctx.n'), jsonScope(data), undefined)).toEqual({ ok: true, value: 3 });
  });
});

describe('the limits', () => {
  it.each([
    ['(function () { for (;;) {} })()', 'budget'],
    ['(() => { try { for (;;) {} } catch { return 1 } finally { return 2 } })()', 'budget'],
    ['{get a() { for (;;) {} }}', 'budget'],
    ['"x".repeat(1e9)', 'memory'],
    ['(() => { try { const all = []; for (;;) all.push(new Array(1e5).fill(0)) } catch { return 1 } })()', 'memory'],
    ['(() => { let s = "x"; for (;;) s = s + s })()', 'memory'],
    ['(f => f(f))(f => f(f))', 'stack'],
    ['"x".repeat(5e6)', 'memory'],
    ['"ä".repeat(3e6)', 'memory'],
    ['Array(3e6).fill(1)', 'memory'],
  ])('stop %s: %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
    expect(resultOf('1 + 1')).toBe(2);
  });

  it('let a result of almost 4 MiB through', () => {
    expect((resultOf('"x".repeat(4 * 1024 * 1024 - 100)') as string).length).toBe(4 * 1024 * 1024 - 100);
  });

  it('count steps and not time: 5 000 interrupts, one in 10 000 jumps, of which this loop has two a turn', () => {
    const reached = (n: number): boolean => inVm('(() => { let i = 0; while (i < n) i++; return i })()', { n }).ok;
    expect([reached(24_980_000), reached(25_020_000)]).toEqual([true, false]);
  });

  it('hold when memory had to grow, and give it back', () => {
    for (let i = 0; i < 12; i++) expect(resultOf('Array(2e6).fill(7).length')).toBe(2_000_000);
    expect(resultOf('ctx.text', data)).toBe('abc');
    expect(inVm('ctx.text + ctx.n', data)).toEqual({ ok: true, value: 'abc3' });
  });
});

it('takes texts of any character through the VM and back', () => {
  const text = '\u0000\u001f"\\/ä€😀\u2028\ud800x\udc00';
  expect(resultOf('[ctx.s, ctx.s.length]', { ctx: { s: text } })).toEqual([text, text.length]);
  expect(vm.evaluate({ source: '(', data: '[[],[]]', ask: () => '' })).toMatchObject({ ok: false, reason: 'syntax' });
});
