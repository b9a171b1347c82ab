import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showControls } from '../../../../engine/src/masking/show-controls.js';
import { requirement } from '../../requirement.js';

interface Case {
  readonly id: string;
  readonly why: string;
  readonly input: string;
  readonly context: { readonly sink: 'terminal' | 'log_line' };
  readonly expect: { readonly no_raw: readonly string[]; readonly keep: readonly string[] };
}

const cases = readFileSync(new URL('../../../cases/security/terminal_escape.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('every terminal_escape case', () => {
  it.each(cases.map((one) => [one.id, one.why, one] as const))('%s: %s', (_id, _why, { input, context, expect: wanted }) => {
    const shown = showControls(input, context.sink);
    for (const raw of wanted.no_raw) expect(shown).not.toContain(raw);
    for (const kept of wanted.keep) expect(shown).toContain(kept);
  });
});

describe('untrusted text', () => {
  it(requirement('FA-25', 'never keeps a control character, except line feeds and tabs on a terminal'), () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.integer({ min: 0, max: 0xa0 }).map((code) => String.fromCharCode(code)),
        fc.constantFrom('\u2028', '\u202e', '\ufeff', '\ud800', 'x', '😀'),
      ),
    });
    fc.assert(fc.property(text, (input) => !/[\p{Cc}\u2028\u2029\u202e\ufeff]|\p{Cs}/u.test(showControls(input, 'log_line'))));
    fc.assert(fc.property(text, (input) => !/(?![\n\t])[\p{Cc}\u2028\u2029\u202e\ufeff]|\p{Cs}/u.test(showControls(input))));
  });

  it('shows what was there', () => {
    expect(showControls('\u001b[31m\u0085\u202e\u{e0041}')).toBe('\\x1b[31m\\x85\\u202e\\u{e0041}');
    expect(showControls('a\r\nb\rc\td')).toBe('a\nb\\rc\td');
    expect(showControls('a\r\nb\tc', 'log_line')).toBe('a\\r\\nb\\tc');
  });

  it('that is printable comes through as it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (input) =>
          /\p{Cc}|[\u200b-\u200f\u2028-\u202e\u2066-\u206f\u061c\ufeff\u{e0000}-\u{e007f}]/u.test(input) || showControls(input) === input,
      ),
    );
  });
});
