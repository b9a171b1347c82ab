import { describe, expect, it } from 'vitest';
import type { Read } from '../../../../engine/src/expression/expression.js';
import { parseExpression } from '../../../../engine/src/expression/parse.js';
import { parsed } from './vm.js';

function problem(text: string): { message: string; found: string; start: number } {
  const result = parseExpression(text);
  if (!('error' in result)) throw new Error(`${text} parses`);
  const { message, start, end } = result.error;
  return { message, found: text.slice(start, end), start };
}

/** `root.path`, with `…` where the read is computed, and the text that it stands for. */
function shown({ root, path, computed, start, end }: Read, text: string): string {
  return `${[root, ...path].join('.')}${computed ? '…' : ''} = ${text.slice(start, end)}`;
}

function reads(text: string): string[] {
  return parsed(text).reads.map((read) => shown(read, text));
}

describe('what an expression reads', () => {
  it.each([
    ['inputs.n', ['inputs.n = inputs.n']],
    ['run.outputs["a"].b[0].c', ['run.outputs.a.b.0.c = run.outputs["a"].b[0].c']],
    ['run.outputs[`a`].b', ['run.outputs.a.b = run.outputs[`a`].b']],
    ['inputs . a /* x */ . b', ['inputs.a.b = inputs . a /* x */ . b']],
    ['ctx?.a?.["b"]', ['ctx.a.b = ctx?.a?.["b"]']],
    ['(ctx?.a).b', ['ctx.a.b = ctx?.a).b']],
    ['run.outputs[inputs.k].x', ['run.outputs… = run.outputs', 'inputs.k = inputs.k']],
    ['Object.keys(run.outputs)', ['run.outputs… = run.outputs']],
    ['run.errors', ['run.errors… = run.errors']],
    ['f(ctx)', ['f… = f', 'ctx… = ctx']],
    ['ctx.list.map(x => x.n + ctx.k)', ['ctx.list… = ctx.list', 'ctx.k = ctx.k']],
    ['ctx.a`x`', ['ctx… = ctx']],
    ['ctx.a.b = 1', ['ctx.a… = ctx.a']],
    ['delete ctx.a.b', ['ctx.a… = ctx.a']],
    ['ctx.n++', ['ctx… = ctx']],
    ['[ctx.a, {b: ctx.b, ctx}]', ['ctx.a = ctx.a', 'ctx.b = ctx.b', 'ctx… = ctx']],
    [`\`\${ctx.a} \${ctx.b}\``, ['ctx.a = ctx.a', 'ctx.b = ctx.b']],
    ['Math.max(1, Infinity)', []],
  ])('finds the reads of %s', (text, wanted) => {
    expect(reads(text)).toEqual(wanted);
  });

  it.each([
    ['(a => a.x)(b)', ['b']],
    ['(({a, b: [c = d]}, ...e) => [a, b, c, e])()', ['d', 'b']],
    ['(function f(a) { return f(a, arguments.length, g) })()', ['g']],
    ['(() => { const a = b; let { c } = a; var d; return [a, c, d, e] })()', ['b', 'e']],
    ['(() => { { let a; } return a })()', ['a']],
    ['(() => { if (x) { var a; } return a })()', ['x']],
    ['(() => { for (const a of b) { c(a); } for (d in e); })()', ['b', 'c', 'd', 'e']],
    ['(() => { try { a } catch (e) { e } return e })()', ['a', 'e']],
    ['(() => { class A extends B { x = A; #y = 1; [k]() { return this.#y } } return A })()', ['B', 'k']],
    ['(() => { l: for (;;) { break l; } })()', []],
    ['(a = b, (b) => b)', ['a', 'b']],
    ['((a, b = c) => { let c; })', ['c']],
    ['[1].map((inputs) => inputs.secret)', []],
    ['{ a: 1, [b]: c, d() { return e } }', ['b', 'c', 'e']],
    ['typeof nope', ['nope']],
  ])('tells free names from bound ones in %s', (text, wanted) => {
    const { free } = parsed(text);
    expect(free.map(({ name }) => name)).toEqual(wanted);
    for (const { name, start, end } of free) expect(text.slice(start, end)).toBe(name);
  });

  it('needs no VM for literals and plain paths', () => {
    for (const text of ['1', '-1.5', '"x"', '`x`', 'null', 'true', 'undefined', 'inputs.n', 'run.outputs["a"].b[0].c', 'run.id', 'ctx?.a'])
      expect(parsed(text).needsVm, text).toBe(false);
    for (const text of [
      '1 + 1',
      'ctx.map',
      'ctx[k]',
      'run.outputs',
      'run',
      '/x/',
      '10n',
      'Math',
      `\`\${a}\``,
      '1e999',
      '-1e999',
      '[]',
      '(ctx?.a).b',
    ])
      expect(parsed(text).needsVm, text).toBe(true);
  });

  it('is plain data', () => {
    const expression = parsed('run.outputs["a"].b + inputs[k]?.x');
    expect(JSON.parse(JSON.stringify(expression))).toEqual(expression);
  });
});

describe('what is refused', () => {
  it.each([
    ['await x', 'await'],
    ['1 + await x', 'await'],
    ['async () => 1', 'async'],
    ['[async function () {}]', 'async'],
    ['import("x")', 'import'],
    ['import.meta', 'import.meta'],
    ['(function () { return new.target })()', 'new.target'],
    ['(function* () { yield 1 })()', 'yield'],
    ['arguments[0]', 'arguments'],
    ['[1].map(() => arguments)', 'arguments'],
    ['1 + 9007199254740993', '9007199254740993'],
    ['0x20000000000001', '0x20000000000001'],
    ['1; 2', ';'],
    ['1) + (2', ')'],
    ['a <!-- b', '<!-'],
    ['"\ud800"', '\ud800'],
    ['08', '08'],
    ['with', 'with'],
    ['a b', 'b'],
  ])('refuses %s and says where', (text, found) => {
    expect(problem(text).found).toBe(found);
  });

  it.each([
    ['', 0],
    ['  ', 0],
    ['(1 + 2', 6],
    ['1 +  ', 3],
    ['/* open', 0],
  ])('says that %j is not complete', (text, start) => {
    expect(problem(text).start).toBe(start);
  });

  it('takes what looks close to that', () => {
    for (const text of [
      '9007199254740992',
      '9007199254740993n',
      '1e30',
      '{a: 1}',
      '1 // end',
      '(function () { return arguments.length })(1)',
      'a, b',
    ])
      expect('expression' in parseExpression(text), text).toBe(true);
  });

  it('answers with a position to text that nests without end', () => {
    const hostile = [
      `${'('.repeat(10_000)}1${')'.repeat(10_000)}`,
      `${'!'.repeat(10_000)}1`,
      `${'a?b:'.repeat(10_000)}1`,
      `${'a+'.repeat(10_000)}a`,
      `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
      `${'{a:'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      `${'`${'.repeat(10_000)}1${'}`'.repeat(10_000)}`,
      `${'a=>'.repeat(10_000)}1`,
      `${'new '.repeat(10_000)}a`,
      `/${'('.repeat(10_000)}${')'.repeat(10_000)}/`,
      `(${'['.repeat(10_000)}${']'.repeat(10_000)}=0)=>1`,
      `()=>{${'{'.repeat(10_000)}${'}'.repeat(10_000)}}`,
      `${'-'.repeat(9_999)} 1`,
      `${'2**'.repeat(10_000)}2`,
    ];
    for (const text of hostile) expect(problem(text).message, text.slice(0, 20)).toMatch(/nested|operators in one chain|characters/);
  });

  it('takes long texts that do not nest', () => {
    for (const text of [`a${'.b'.repeat(20_000)}`, `f${'()'.repeat(20_000)}`, `[${'1,'.repeat(20_000)}1]`, `1${',1'.repeat(20_000)}`])
      expect('expression' in parseExpression(text), text.slice(0, 20)).toBe(true);
  });
});
