import { describe, expect, it } from 'vitest';
import { createPaint } from '../../../hosts/cli/src/render/paint.js';
import { snippet } from '../../../hosts/cli/src/render/snippet.js';
import { textWidth } from '../../../hosts/cli/src/render/text-width.js';

const paint = createPaint(false);

function shown(text: string, marked: string, columns?: number): string {
  const start = text.indexOf(marked);
  return snippet({ path: 'x.yaml', text }, { start, end: start + marked.length }, paint, columns).join('\n');
}

describe('snippet', () => {
  it('shows the line above, the line, and a caret under every column of the range', () => {
    expect(shown('nodes:\n  - id: a\n    typ: x\n', 'typ')).toBe(['   2 │   - id: a', '   3 │     typ: x', '     │     ^^^'].join('\n'));
  });

  it('puts the caret right behind tabs and wide characters', () => {
    expect(shown('\tname: 日本 bad', 'bad')).toBe(['   1 │   name: 日本 bad', '     │              ^^^'].join('\n'));
  });

  it('covers a credential, and keeps the caret where it was', () => {
    const token = 'ghp_SYNTHETICsampleSYNTHETICsample0000';
    const lines = shown(`above: ${token}\ntoken: ${token} bad`, 'bad').split('\n');
    expect(lines[0]).toBe(`   1 │ above: ${'*'.repeat(token.length)}`);
    expect(lines[1]).toBe(`   2 │ token: ${'*'.repeat(token.length)} bad`);
    expect(lines[2]?.indexOf('^')).toBe(lines[1]?.indexOf('bad'));
  });

  it('shows control characters instead of sending them', () => {
    expect(shown('a: \u001b[2Jx', 'x')).toBe(['   1 │ a: \\x1b[2Jx', '     │           ^'].join('\n'));
  });

  it('marks a range over several lines to the end of its first one, without the carriage return', () => {
    expect(shown('run: |\r\n  a\r\n  b\r\n', '|\r\n  a\r\n  b')).toBe(['   1 │ run: |', '     │      ^'].join('\n'));
  });

  it('marks one column for an empty range, also behind the end of the text', () => {
    expect(snippet({ path: 'x', text: 'abc' }, { start: 3, end: 3 }, paint, undefined)).toEqual(['   1 │ abc', '     │    ^']);
  });

  it('keeps a long line within the terminal and the range in sight', () => {
    const text = `key: ${'x'.repeat(500)}HERE${'y'.repeat(500)}`;
    const lines = shown(text, 'HERE', 60).split('\n');
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(60);
    expect(lines[0]).toContain('HERE');
    const caret = lines[1]?.indexOf('^') ?? -1;
    expect(lines[0]?.slice(caret, caret + 4)).toBe('HERE');
  });

  it('keeps a long range within the terminal', () => {
    for (const line of shown(`key: ${'x'.repeat(500)}`, 'x'.repeat(500), 40).split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(40);
  });
});
