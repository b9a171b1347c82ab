import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Evaluated, evaluate } from '../../../../engine/src/expression/evaluate.js';
import { parseExpression } from '../../../../engine/src/expression/parse.js';
import { jsonScope } from '../../../../engine/src/expression/scope.js';
import type { Json } from '../../../../engine/src/json.js';
import { createExpressionVm, type NodeExpressionVm } from '../../../../hosts/node/src/expression-vm/create-expression-vm.js';

const source = (name: string): string => fileURLToPath(new URL(`../../../../hosts/node/src/expression-vm/${name}`, import.meta.url));
const wasm = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');

let folder: string;
let vm: NodeExpressionVm;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'expression-vm-'));
  // As the command is bundled: everything beside each other in one folder.
  await build({
    entryPoints: [source('create-expression-vm.ts'), source('expression-worker.ts')],
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  await copyFile(wasm, join(folder, 'quickjs.wasm'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  vm = createExpressionVm({ worker: pathToFileURL(join(folder, 'expression-worker.js')), wasm: pathToFileURL(wasm) });
});

afterAll(async () => {
  await vm.close();
  await rm(folder, { recursive: true });
});

function evaluated(text: string, scope: { readonly [name: string]: Json } = {}, using: NodeExpressionVm = vm): Evaluated {
  const parsed = parseExpression(text);
  if ('error' in parsed) throw new Error(parsed.error.message);
  return evaluate(parsed.expression, jsonScope(scope), using);
}

describe('the VM in its own thread', () => {
  it('answers synchronously, one evaluation after the other', () => {
    for (let i = 0; i < 500; i++) expect(evaluated('n + 1', { n: i })).toEqual({ ok: true, value: i + 1 });
  });

  it('gives undefined, errors and every reason', () => {
    expect(evaluated('[][0]')).toEqual({ ok: true, value: undefined });
    expect(evaluated('(() => { throw new Error("ä😀") })()')).toEqual({ ok: false, reason: 'runtime', message: 'ä😀' });
    expect(evaluated('[NaN]')).toMatchObject({ ok: false, reason: 'result_type' });
    expect(evaluated('"x".repeat(1e9)')).toMatchObject({ ok: false, reason: 'memory' });
    expect(evaluated('(f => f(f))(f => f(f))')).toMatchObject({ ok: false, reason: 'stack' });
    expect(evaluated('(() => { for (;;) {} })()')).toMatchObject({ ok: false, reason: 'budget' });
  });

  it('reads on demand across the threads', () => {
    const rows = Array.from({ length: 3000 }, (_, id) => ({ id, text: 'ä'.repeat(100) }));
    expect(evaluated('rows.map(row => row.id + row.text.length).at(-1)', { rows })).toEqual({ ok: true, value: 3099 });
    expect(evaluated('Object.keys(rows).length', { rows })).toEqual({ ok: true, value: 3000 });
  });

  it('takes and gives texts that are larger than its mailbox', () => {
    for (const size of [100, 3_000_000, 10_000_000, 5]) {
      expect(evaluated('text.length + 0', { text: 'ä'.repeat(size) }), `${size}`).toEqual({ ok: true, value: size });
    }
    expect(evaluated('text + text', { text: 'x'.repeat(2_000_000) })).toEqual({ ok: true, value: 'x'.repeat(4_000_000) });
    expect(evaluated('list[0 + 0].length + list[1].length', { list: ['ä'.repeat(1_000_000), 'b', 'c'.repeat(2000)] })).toEqual({
      ok: true,
      value: 1_000_001,
    });
    expect(evaluated('text + ""', { text: 'x'.repeat(70_000_000) })).toMatchObject({ ok: false, reason: 'memory' });
  });

  it('cuts short a native that no budget sees, and works again', () => {
    const before = performance.now();
    expect(evaluated('new Array(4e9).join()')).toEqual({ ok: false, reason: 'timeout', message: 'the expression took longer than 2 s' });
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(evaluated('1 + 1')).toEqual({ ok: true, value: 2 });
  });

  it('survives an answer that fails', () => {
    const request = { source: '(function (a) { return a.x })', data: '[[null],[[[0],0,-1]]]' };
    const ask = (): never => {
      throw new Error('no answer');
    };
    expect(() => vm.evaluate({ ...request, ask })).toThrow('no answer');
    expect(evaluated('1 + 2')).toEqual({ ok: true, value: 3 });
  });

  it('can be closed at any time and starts anew', async () => {
    const own = createExpressionVm({ worker: pathToFileURL(join(folder, 'expression-worker.js')), wasm: pathToFileURL(wasm) });
    await own.close();
    expect(evaluated('1 + 3', {}, own)).toEqual({ ok: true, value: 4 });
    await own.close();
    expect(evaluated('1 + 4', {}, own)).toEqual({ ok: true, value: 5 });
    await own.close();
  });

  it('says what is missing where it is not installed', () => {
    const lost = createExpressionVm({ worker: pathToFileURL(join(folder, 'gone.js')), wasm: pathToFileURL(wasm) });
    expect(() => evaluated('1 + 1', {}, lost)).toThrow(/the expression VM is not installed: there is no .*gone\.js/);
  });
});

describe('a bundle with its two files beside it', () => {
  const run = async (script: string): Promise<string> => {
    const file = join(folder, 'main.js');
    await writeFile(file, `import { createExpressionVm } from './create-expression-vm.js';\nconst vm = createExpressionVm();\n${script}`);
    return (await promisify(execFile)(process.execPath, [file], { timeout: 30_000 })).stdout;
  };
  const evaluation = `vm.evaluate({ source: '(function () { return 6 * 7 })', data: '[[],[]]', ask: () => '' }).text`;

  it('finds them, and its thread does not keep the process alive', async () => {
    expect(await run(`console.log(${evaluation});`)).toBe('[42,[]]\n');
  });

  it('starts no thread before it is asked', async () => {
    expect(await run(`console.log(process.getActiveResourcesInfo().filter((name) => name.includes('Worker')).length);`)).toBe('0\n');
  });

  it('lets the process end in the middle of anything', async () => {
    expect(await run(`${evaluation}; console.log('done'); process.exit(0);`)).toBe('done\n');
  });
});
