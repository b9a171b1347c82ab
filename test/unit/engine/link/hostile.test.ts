import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../../engine/src/compile.js';
import { memorySourceReader } from '../../../../engine/src/testing/memory-source-reader.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';

const ports = { reader: memorySourceReader({}), tools: builtinTools };
const OK = fileURLToPath(new URL('../../../cases/ok/', import.meta.url));
const seeds = readdirSync(OK)
  .filter((name) => name.endsWith('.relavium.yaml'))
  .map((name) => readFileSync(join(OK, name), 'utf8'));

function compiled(text: string): ReturnType<typeof compile> {
  const compilation = compile({ path: 'h.yaml', text }, ports);
  for (const { range } of compilation.diagnostics) {
    expect(range.start).toBeGreaterThanOrEqual(0);
    expect(range.end).toBeGreaterThanOrEqual(range.start);
    expect(range.end).toBeLessThanOrEqual(text.length + 1);
  }
  return compilation;
}

describe('any text', () => {
  it('is compiled without a throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => void compiled(text)),
      { numRuns: 500 },
    );
  });

  it('made of pieces of YAML is compiled without a throw', () => {
    const piece = fc.constantFrom(
      'a',
      'workflow',
      ': ',
      '- ',
      '\n',
      '\n  ',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '"',
      "'",
      '|',
      '>',
      '&x ',
      '*x',
      '? ',
      '# ',
      '!t ',
      '<<',
      '---',
      '...',
      '%',
      '\t',
      '\r\n',
      '{{',
      '0x',
      '.nan',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => void compiled(pieces.join(''))),
      { numRuns: 600 },
    );
  });

  it('is compiled without a throw when a good file has lost, gained or swapped a part', () => {
    const cut = fc.record({
      seed: fc.nat(seeds.length - 1),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(60),
      text: fc.constantFrom('', ' ', '\n', '}', '"', 'null', '[]', '7', 'run.outputs["a"]', '{{', ':', '&a', '- '),
    });
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 3 }), (cuts) => {
        let text = seeds[cuts[0]?.seed ?? 0] as string;
        for (const { at, length, text: other } of cuts) {
          const start = Math.floor(at * text.length);
          text = text.slice(0, start) + other + text.slice(start + length);
        }
        const { plan, diagnostics } = compiled(text);
        expect(plan === undefined).toBe(diagnostics.some((found) => found.severity === 'error'));
      }),
      { numRuns: 300 },
    );
  });

  it('of any shape of values is compiled without a throw', () => {
    const keys = fc.constantFrom(
      'id',
      'type',
      'nodes',
      'edges',
      'inputs',
      'needs',
      'body',
      'from',
      'to',
      'name',
      'branches',
      'when',
      'target_node',
      'transform',
      'tool',
      'context',
      'agents',
      '__proto__',
    );
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('a', 'b', 'transform', 'loop', 'condition', 'merge', 'inputs.a', null, 3, true),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      map: fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
    }));
    fc.assert(
      fc.property(
        fc.dictionary(keys, values.value),
        (workflow) => void compiled(JSON.stringify({ schema_version: '1.0', workflow: { id: 'w', nodes: [], ...workflow } })),
      ),
      { numRuns: 300 },
    );
  });
});

describe('large files', () => {
  it('with 10 000 broken reads say so once each', () => {
    const nodes = Array.from(
      { length: 10_000 },
      (_, index) => `    - { id: n${index}, type: transform, transform: 'inputs.x${index}' }`,
    ).join('\n');
    const { diagnostics } = compiled(`schema_version: '1.0'\nworkflow:\n  id: w\n  nodes:\n${nodes}\n`);
    expect(diagnostics.filter((found) => found.code === 'unresolved_reference')).toHaveLength(10_000);
  });

  it('with 20 000 unknown keys in one map say so once each', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `      k${index}: 1`).join('\n');
    const { diagnostics } = compiled(`schema_version: '1.0'\nworkflow:\n  id: w\n  nodes:\n    - id: a\n      type: output\n${keys}\n`);
    expect(diagnostics.filter((found) => found.code === 'unknown_key')).toHaveLength(20_000);
  });

  it('with far reads, races and gates everywhere are compiled in one go', () => {
    const count = 1_500;
    const nodes = Array.from({ length: count }, (_, index) => {
      if (index % 3 === 1) return `    - { id: n${index}, type: merge, merge_strategy: first, join_strategy: wait_first }`;
      if (index % 3 === 2) return `    - { id: n${index}, type: human_gate, gate_type: approval, approves: [n${index}] }`;
      return `    - { id: n${index}, type: transform, transform: 'run.outputs["n${Math.max(0, index - 700)}"]' }`;
    });
    const edges = Array.from({ length: count - 1 }, (_, index) => `    - { from: n${index}, to: n${index + 1} }`);
    const text = `schema_version: '1.0'\nworkflow:\n  id: w\n  nodes:\n${nodes.join('\n')}\n  edges:\n${edges.join('\n')}\n`;
    expect(compiled(text).diagnostics.map((found) => found.code)).toEqual(['unordered_reference']);
  });

  it('above the number of nodes are refused, loop bodies counted', () => {
    const nodes = (count: number, indent: string): string =>
      Array.from({ length: count }, (_, index) => `${indent}- { id: n${index}, type: input }`).join('\n');
    const text = `schema_version: '1.0'\nworkflow:\n  id: w\n  nodes:\n${nodes(5001, '    ')}\n    - id: each\n      type: loop\n      for_each: '[1]'\n      needs: [n1]\n      body:\n        edges: []\n        nodes:\n${nodes(5000, '          ')}\n`;
    expect(compiled(text).diagnostics.map((found) => found.code)).toContain('too_many');
  });
});

describe('many suppressions', () => {
  it('in one pile speak of the line below it, and those without an effect say so', () => {
    const pile = Array.from({ length: 20_000 }, () => '    # relavium-ignore[retry_on_pure]: again').join('\n');
    const text = `schema_version: '1.0'\nworkflow:\n  id: w\n  nodes:\n${pile}\n    - { id: a, type: transform, transform: '1', retry: { max: 2 } }\n`;
    expect(compiled(text).diagnostics.filter((found) => found.code === 'unused_suppression')).toHaveLength(19_999);
  });

  it('for as many lines are each looked up once', () => {
    const lines = Array.from(
      { length: 8_000 },
      (_, index) =>
        `    # relavium-ignore[retry_on_pure]: one\n    - { id: n${index}, type: transform, transform: '1', needs: [${index === 0 ? '' : `n${index - 1}`}], retry: { max: 2 } }`,
    ).join('\n');
    expect(compiled(`schema_version: '1.0'\nworkflow:\n  id: w\n  nodes:\n${lines}\n`).diagnostics).toEqual([]);
  });
});
