import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { bootQuickJs, type QuickJsExports, type QuickJsImports, type QuickJsReply } from '../../../../engine/src/expression/quickjs.js';
import { decodeUtf8, encodeUtf8 } from '../../../../engine/src/expression/utf8.js';

interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: QuickJsImports) => { readonly exports: QuickJsExports };
}

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
const module = new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')));

/** A VM, with every instance that it made. */
function boot() {
  const instances: QuickJsExports[] = [];
  const quickJs = bootQuickJs((imports) => {
    const { exports } = new WebAssembly.Instance(module, imports);
    instances.push(exports);
    return exports;
  });
  const evaluate = (body: string): QuickJsReply =>
    quickJs.evaluate(encodeUtf8(`(function(){"use strict";return(\n${body}\n)})`), encodeUtf8('[[],[]]'), () => encodeUtf8('[0]'));
  const text = (body: string): string => {
    const reply = evaluate(body);
    return reply.ok ? decodeUtf8(reply.text ?? new Uint8Array()) : reply.reason;
  };
  return { instances, quickJs, evaluate, text };
}

describe('the memory of the VM', () => {
  it('stays the same over ordinary evaluations', () => {
    const { instances, text } = boot();
    const before = instances[0]?.memory.buffer.byteLength;
    for (let i = 0; i < 200; i++) expect(text('Array(1e5).fill(1).length')).toBe('[100000,[]]');
    expect(instances.length).toBe(1);
    expect(instances[0]?.memory.buffer.byteLength).toBe(before);
  });

  it('is given up after an evaluation that needed more of it', () => {
    const { instances, quickJs, text } = boot();
    const before = instances[0]?.memory.buffer.byteLength;
    for (let i = 1; i <= 3; i++) {
      expect(text('Array(2e6).fill(7).length')).toBe('[2000000,[]]');
      expect(instances.at(-1)?.memory.buffer.byteLength).toBeGreaterThan(before as number);
      quickJs.reset();
      expect(instances.length).toBe(i + 1);
      expect(instances.at(-1)?.memory.buffer.byteLength).toBe(before);
    }
    expect(text('[1, 2].map(x => x + 1)')).toBe('[[2,3],[]]');
  });

  it('is byte for byte the same again', () => {
    const { instances, quickJs, evaluate } = boot();
    quickJs.reset();
    const { buffer } = (instances[0] as QuickJsExports).memory;
    const start = (instances[0] as QuickJsExports).__stack_pointer.value;
    const image = (): Uint8Array => new Uint8Array(buffer.slice(start, start + 256 * 1024));
    const before = image();
    for (const body of ['Object.prototype.left = 1', 'Symbol.for("x").description', '/(a)/.exec("a")[0]', '(f => f(f))(f => f(f))'])
      evaluate(body);
    expect(Buffer.compare(image(), before)).not.toBe(0);
    quickJs.reset();
    expect(Buffer.compare(image(), before)).toBe(0);
  });
});

it('comes back to its stack when it was left in the middle', () => {
  const { instances, quickJs, text } = boot();
  const [exports] = instances as [QuickJsExports];
  const before = exports.__stack_pointer.value;
  const fail = (): never => {
    throw new Error('no answer');
  };
  const source = encodeUtf8('(function (a) { return a.x })');
  expect(() => quickJs.evaluate(source, encodeUtf8('[[null],[[[0],0,-1]]]'), fail)).toThrow('no answer');
  expect(exports.__stack_pointer.value).toBeLessThan(before);
  expect(text('1 + 1')).toBe('[2,[]]');
  expect(exports.__stack_pointer.value).toBe(before);
});

it('does not boot with a binary that is another', () => {
  const broken = (imports: QuickJsImports): QuickJsExports => ({
    ...new WebAssembly.Instance(module, imports).exports,
    qjs_init2: () => 1,
  });
  expect(() => bootQuickJs(broken)).toThrow('QuickJS did not initialise');
});
