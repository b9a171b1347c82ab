import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitMiddle, fitWidth, stripPaint, textWidth } from '../../../hosts/cli/src/render/text-width.js';

describe('textWidth', () => {
  it('counts a column a character for ASCII, two for wide ones and emoji, none for marks', () => {
    expect(textWidth('plain text')).toBe(10);
    expect(textWidth('日本')).toBe(4);
    expect(textWidth('e\u0301')).toBe(1);
    expect(textWidth('👩‍👩‍👧')).toBe(2);
    expect(textWidth('')).toBe(0);
  });
});

describe('fitWidth', () => {
  it('leaves what fits and never gives more columns than it is told', () => {
    expect(fitWidth('short', 5)).toBe('short');
    expect(fitWidth('longer than that', 6)).toBe('longe…');
    expect(fitWidth('anything', 0)).toBe('');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 30 }), (text, columns) => {
        fc.pre(!/\p{Control}/u.test(text));
        expect(textWidth(fitWidth(text, columns))).toBeLessThanOrEqual(columns);
        expect(textWidth(fitMiddle(text, columns))).toBeLessThanOrEqual(Math.max(columns, 0));
      }),
    );
  });

  it('cuts a name in the middle so that its end stays', () => {
    expect(fitMiddle('a-very-long-node-name', 11)).toBe('a-ver…-name');
  });
});

describe('stripPaint', () => {
  it('takes away colours and nothing else', () => {
    expect(stripPaint('\u001b[31mred\u001b[39m [31m')).toBe('red [31m');
  });
});
