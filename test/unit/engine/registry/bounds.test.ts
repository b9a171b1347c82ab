import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../../../../engine/src/json.js';
import { checkArguments } from '../../../../engine/src/registry/arguments.js';
import { boundResult, copyForModel, MODEL_COPY_BYTES } from '../../../../engine/src/registry/bound-result.js';
import { utf8Length } from '../../../../engine/src/text/utf8-length.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';
import { requirements } from '../../requirement.js';

interface Repeat {
  readonly kind: string;
  readonly unit?: string;
  readonly count?: number;
  readonly parts?: readonly (string | { readonly repeat: string; readonly count: number })[];
  readonly items?: readonly { readonly times: number; readonly of: Repeat }[];
}

interface Case {
  readonly id: string;
  readonly why: string;
  readonly input: {
    readonly tool?: string;
    readonly arg?: string;
    readonly result?: true;
    readonly generator?: Repeat;
    readonly value?: Json;
  };
  readonly expect: 'allow' | 'deny' | { readonly model_copy: 'whole' | 'preview' };
}

const cases = readFileSync(new URL('../../../cases/security/tool_bounds.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

const REST: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  write_file: { path: 'a.txt', content: '' },
  http_request: { method: 'POST', url: 'https://api.example.com/' },
  git_commit: { message: 'x' },
  run_command: { command: 'make' },
};

describe('every tool_bounds case', () => {
  it.each(cases.map((one) => [one.id, one.why, one] as const))('%s: %s', (_id, _why, { input, expect: wanted }) => {
    const value = input.generator === undefined ? input.value : generated(input.generator);
    if (input.result === true) {
      expect(boundResult(value as string).kind).toBe((wanted as { model_copy: string }).model_copy);
      return;
    }
    const tool = builtinTools.find(({ id }) => id === input.tool)!;
    const args = { ...REST[input.tool!], ...(value === undefined ? {} : { [input.arg!]: value }) };
    const objection = checkArguments(tool, args);
    expect(objection === undefined ? 'allow' : 'deny', objection?.message.slice(0, 200)).toBe(wanted);
    if (objection !== undefined) expect(objection.code).toBe('invalid_args');
  });
});

const counted = vi.hoisted(() => ({ texts: 0 }));
vi.mock('../../../../engine/src/text/utf8-length.js', async (original) => {
  const actual = await original<typeof import('../../../../engine/src/text/utf8-length.js')>();
  return {
    ...actual,
    utf8Length: (text: string) => {
      counted.texts++;
      return actual.utf8Length(text);
    },
  };
});

describe('sizes', () => {
  it.each([
    ['a text whose length alone is too much', 'write_file', { path: 'a', content: 'x'.repeat(8_388_609) }],
    ['too many arguments', 'run_command', { command: 'make', args: Array.from({ length: 257 }, () => 'é') }],
    [
      'arguments whose lengths alone are too much together',
      'run_command',
      { command: 'make', args: Array.from({ length: 5 }, () => 'x'.repeat(16_000)) },
    ],
  ])(requirements(['IB-22', 'IB-23', 'IB-24'], 'refuse %s without counting a byte'), (_what, id, args) => {
    counted.texts = 0;
    expect(checkArguments(builtinTools.find((tool) => tool.id === id)!, args)).toMatchObject({ details: { reason: 'too_large' } });
    expect(counted.texts).toBe(0);
  });

  it(requirements(['IB-25', 'IB-26'], 'count UTF-8 bytes as an encoder would write them'), () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => utf8Length(text) === new TextEncoder().encode(text).length),
    );
    expect(utf8Length('\ud800')).toBe(3);
    expect(utf8Length('\udc00\ud800')).toBe(6);
  });

  it(requirements(['RB-06', 'RB-09', 'RB-10', 'RB-16'], 'of a model’s copy stay below the ceiling whatever the text'), () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '€', '😀', '\ud800'), minLength: 30, maxLength: 60 }),
        fc.integer({ min: 1_000, max: 3_000 }),
        (unit, times) => {
          const text = unit.repeat(times);
          const copy = boundResult(text, '/spill/result.txt');
          expect(utf8Length(copy.text)).toBeLessThanOrEqual(MODEL_COPY_BYTES);
          expect(copy.text.split('\n').length).toBeLessThanOrEqual(2_000);
          if (copy.kind === 'whole') expect(copy.text).toBe(text);
          else expect(copy.text).toContain('/spill/result.txt');
        },
      ),
      { numRuns: 50 },
    );
  });
});

function generated({ kind, unit, count, parts, items }: Repeat): Json | undefined {
  if (kind === 'omitted') return undefined;
  if (kind === 'repeat') return unit!.repeat(count!);
  if (kind === 'concat') return parts!.map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.count))).join('');
  return items!.flatMap(({ times, of }) => Array.from({ length: times }, () => generated(of)!));
}

describe('the copy of a result with fields', () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n}`).join('\n');
  const largeOf = (result: Json) => {
    const copy = copyForModel(result);
    if (copy.kind !== 'large') throw new Error('it is whole');
    return { whole: copy.whole, seen: JSON.parse(copy.preview('/kept/1.txt')) as { readonly content: string } };
  };

  it('counts the lines of a text inside it, and keeps that text with its own lines', () => {
    expect(copyForModel({ content: lines(1_900), mimeType: 'text/plain' }).kind).toBe('whole');
    const content = lines(3_500);
    const { whole, seen } = largeOf({ content, mimeType: 'text/plain' });
    expect(whole).toBe(content);
    expect(seen).toMatchObject({ mimeType: 'text/plain', content: expect.stringMatching(/^line 0\n.*\nline 3499$/su) });
    expect(seen.content.split('\n').length).toBeLessThanOrEqual(2_000);
    expect(seen.content).toMatch(/\[left out here: \d+ bytes, 1\d{3} line breaks; read_file has the whole in \/kept\/1.txt\]/u);
  });

  it('is within the ceiling whatever a text becomes as JSON', () => {
    fc.assert(
      fc.property(fc.constantFrom('"', '\u0001', 'x', '€', 'a\n'), fc.nat(60_000), fc.nat(30_000), (unit, count, beside) => {
        const copy = copyForModel({ stdout: unit.repeat(count), stderr: 'y'.repeat(beside), exitCode: 0 });
        const text = copy.kind === 'whole' ? copy.text : copy.preview('/kept/1.txt');
        expect(utf8Length(text)).toBeLessThanOrEqual(MODEL_COPY_BYTES);
      }),
      { numRuns: 60 },
    );
  });

  it('of many small fields is kept in lines', () => {
    const copy = copyForModel({ entries: Array.from({ length: 5_000 }, (_, n) => ({ name: `file-${n}` })) });
    expect(copy.kind === 'large' && copy.whole.split('\n').length).toBeGreaterThan(5_000);
  });
});
