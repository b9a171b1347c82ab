import { describe, expect, it } from 'vitest';
import { evaluated, resultOf } from './vm.js';

/** Each changes something shared as hard as it can. Whatever it answers, the next evaluation must not see it. */
const attacks = [
  'globalThis.left = 1',
  'Object.prototype.left = 1',
  'Array.prototype.left = 1, Array.prototype.push = null',
  'Object.defineProperty(Object.prototype, "x", { get: () => "left", set() {} })',
  'Object.defineProperty(Array.prototype, "0", { get: () => "left", set() {} })',
  'String.prototype.trim = () => "left"',
  'RegExp.prototype.exec = () => null',
  '/(x)/.exec("x"), RegExp.left = 1',
  'Symbol.iterator.left, Symbol.for("left"), Array.prototype[Symbol.iterator] = function* () {}',
  'Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true })',
  'Map.prototype.get = () => "left", Set.prototype.has = () => true, WeakMap.prototype.get = () => undefined',
  'JSON.parse = () => "left", JSON.stringify = () => "left"',
  'Reflect.apply = () => "left", Object.getPrototypeOf(() => 1).call = () => "left"',
  'Object.keys = () => ["left"], Object.hasOwn = () => false, Array.isArray = () => false',
  'Error.stackTraceLimit = 0, Error.prepareStackTrace = () => "left"',
  'TypeError.prototype.message = "left", Error.prototype.toString = () => "left"',
  'Math.max = () => "left", Math.left = 1',
  'Object.setPrototypeOf(Array.prototype, null)',
  'Object.freeze(Object.prototype), Object.freeze(Array.prototype), Object.preventExtensions(globalThis)',
  'delete globalThis.Object, delete globalThis.Array, delete globalThis.JSON',
  'Number.prototype.toString = () => "left", Boolean.prototype.valueOf = () => "left"',
  'BigInt.prototype.toJSON = () => "left", Object.prototype.toJSON = () => "left"',
  '(() => { for (let i = 0; i < 1e4; i++) Object.prototype["k" + i] = 1; for (;;) {} })()',
  '(() => { globalThis.big = "x".repeat(1e9) })()',
  '(f => f(f))(f => { Object.prototype.left = 1; return f(f) })',
];

/** Looks at all of that. */
const probe = `[
  typeof left, "left" in {}, "left" in [], ({}).x ?? null, new Array(1)[0] ?? null, " a ".trim(), /(a)/.exec("a")[1], [1, 2].push.name,
  [...[1, 2]], new Map([[1, 2]]).get(1), new Set([1]).has(2), JSON.parse("[1]"), JSON.stringify({ a: 1 }), Object.keys({ a: 1 }),
  Object.hasOwn({ a: 1 }, "a"), Array.isArray([]), Math.max(1, 2), (1).toString(), true.valueOf(), String(new Error("x")),
  Reflect.ownKeys(globalThis).length, Reflect.ownKeys(Object.prototype).length, Reflect.ownKeys(Array.prototype).length,
  Reflect.ownKeys(String.prototype).length, Reflect.ownKeys(RegExp).length, Reflect.ownKeys(Error).length, Reflect.ownKeys(Math).length,
  Reflect.ownKeys(Symbol).length, Object.isFrozen(Object.prototype), Object.isExtensible(globalThis), Object.getPrototypeOf(Array.prototype) === Object.prototype,
  (function () { return 1 }).call(), ctx.list.map(x => x + 1), Object.keys(ctx)
]`;

const data = { ctx: { list: [1, 2, 3] } };

describe('no evaluation sees what another one did', () => {
  const untouched = resultOf(probe, data);

  it('has a probe that sees a changed world', () => {
    expect(resultOf(`(() => { Object.prototype.left = 1; return ${probe} })()`, data)).not.toEqual(untouched);
  });

  it.each(attacks)('%s', (attack) => {
    evaluated(attack, data);
    expect(resultOf(probe, data)).toEqual(untouched);
  });

  it('and none spoils how a result is written or an error told', () => {
    for (const attack of attacks.slice(0, 22)) {
      const after = evaluated(`(${attack}, [{ a: "b", n: [1.5, true, null] }])`, data);
      expect(after, attack).toEqual({ ok: true, value: [{ a: 'b', n: [1.5, true, null] }] });
    }
  });
});

describe('own objects', () => {
  it('take any key, also those that prototypes have', () => {
    expect(resultOf('(() => { const m = {}; m.constructor = 1; m.toString = 2; m.valueOf = 3; return m })()')).toEqual({
      constructor: 1,
      toString: 2,
      valueOf: 3,
    });
    expect(resultOf('(() => { class A { toString() { return "mine" } } return "" + new A })()')).toBe('mine');
  });
});

describe('what there is', () => {
  it.each([
    'Date',
    'Promise',
    'Proxy',
    'Function',
    'eval',
    'Intl',
    'WeakRef',
    'FinalizationRegistry',
    'setTimeout',
    'queueMicrotask',
    'performance',
    'ArrayBuffer',
    'Uint8Array',
    'SharedArrayBuffer',
    'Atomics',
    'WebAssembly',
    'console',
    'process',
    'require',
    'fetch',
    'ask',
    'std',
    'os',
  ])('is no %s', (name) => {
    expect(resultOf(`[typeof ${name}, "${name}" in globalThis]`)).toEqual(['undefined', false]);
  });

  it.each([
    'Math.random',
    'Array.fromAsync',
    'Error.captureStackTrace',
    '(() => 1).constructor',
    '(function* () {}).constructor',
    'Object.getPrototypeOf(function* () {}).constructor',
    '[].map.constructor',
    '(class { static m() {} }).m.constructor',
  ])('is no %s', (text) => {
    expect(resultOf(`typeof ${text}`)).toBe('undefined');
  });
});
