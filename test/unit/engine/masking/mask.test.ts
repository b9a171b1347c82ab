import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clip } from '../../../../engine/src/masking/clip.js';
import { mask } from '../../../../engine/src/masking/mask.js';

interface Case {
  readonly id: string;
  readonly input: string;
  readonly expect: 'mask' | 'allow';
  readonly why: string;
  readonly context: {
    readonly must_hide?: readonly string[];
    readonly must_keep?: readonly string[];
    readonly generator?: { readonly parts: readonly (string | { readonly repeat: string; readonly count: number })[] };
    readonly clip?: string;
    readonly basis?: string;
  };
}

const cases = readFileSync(new URL('../../../cases/security/masking.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('every masking case', () => {
  it.each(cases.map((one) => [one.id, one.why, one] as const))('%s: %s', (_id, _why, { input, context, expect: wanted }) => {
    const text = context.generator === undefined ? input : context.generator.parts.map(part).join('');
    const masked = mask(text);
    for (const hidden of context.must_hide ?? []) expect(masked).not.toContain(hidden);
    for (const kept of context.must_keep ?? []) expect(masked).toContain(kept);
    if (wanted === 'allow') expect(masked).toBe(text);
    expect(mask(masked)).toBe(masked);
    if (context.clip !== undefined) {
      const [from, to] = context.clip.match(/\d+/g)!.map(Number);
      for (let limit = from!; limit <= to!; limit++) {
        for (const hidden of context.must_hide ?? []) expect(clip(masked, limit)).not.toContain(hidden.slice(0, 8));
      }
    }
  });
});

describe('a list or map of JSON below a sensitive name', () => {
  it.each([
    [
      '{"password": {"value": "hunter2xx", "version": 3}, "user": "ada"}',
      '{"password": {"value": "[masked]", "version": 3}, "user": "ada"}',
    ],
    ['{"token":["aaa111","bbb\\"222"],"kept":"plain"}', '{"token":["[masked]","[masked]"],"kept":"plain"}'],
    ['{"secret": [{"a": "one"}, {"b": ["two"]}]} and on', '{"secret": [{"a": "[masked]"}, {"b": ["[masked]"]}]} and on'],
  ])('%s loses its texts and nothing else', (text, masked) => {
    expect(mask(text)).toBe(masked);
    expect(mask(masked)).toBe(masked);
  });
});

it('leaves the folder of a shell, and hides a password of the same name', () => {
  expect(mask('PWD=/home/ada/project OLDPWD=/tmp')).toBe('PWD=/home/ada/project OLDPWD=/tmp');
  expect(mask('PWD=hunter22 DB_PWD=/hunter22 pwd=/hunter22')).toBe('PWD=[masked] DB_PWD=[masked] pwd=[masked]');
});

function part(piece: string | { readonly repeat: string; readonly count: number }): string {
  return typeof piece === 'string' ? piece : piece.repeat.repeat(piece.count);
}
