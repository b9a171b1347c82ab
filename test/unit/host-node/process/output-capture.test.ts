import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputCapture } from '../../../../hosts/node/src/process/output-capture.js';

const captured = (text: string, maxBytes: number, sizes: readonly number[]) => {
  const bytes = Buffer.from(text);
  const capture = outputCapture(maxBytes);
  let at = 0;
  for (const size of sizes) {
    capture.push(bytes.subarray(at, at + size));
    at += size;
  }
  capture.push(bytes.subarray(at));
  return capture.finish();
};
const sizes = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 });
const texts = fc.string({ unit: 'grapheme', maxLength: 120 });

describe('what is kept of an output', () => {
  it('is all of it up to the ceiling, however it is cut into pieces', () => {
    fc.assert(
      fc.property(texts, sizes, (text, cuts) => {
        expect(captured(text, Buffer.byteLength(text), cuts)).toEqual({ text, truncated: false, invalidUtf8: false });
      }),
    );
  });

  it('is beginning and end above it, characters whole, and the number in the middle is right', () => {
    fc.assert(
      fc.property(texts, sizes, fc.integer({ min: 0, max: 60 }), (text, cuts, maxBytes) => {
        const total = Buffer.byteLength(text);
        fc.pre(total > maxBytes);
        const result = captured(text, maxBytes, cuts);
        const [, head, left, tail] = /^(.*)\n\[([0-9]+) bytes left out here\]\n(.*)$/su.exec(result.text)!;
        expect(result).toMatchObject({ truncated: true, invalidUtf8: false });
        expect(text.startsWith(head!)).toBe(true);
        expect(text.endsWith(tail!)).toBe(true);
        expect(Buffer.byteLength(head! + tail!) + Number(left)).toBe(total);
        expect(Buffer.byteLength(head! + tail!)).toBeLessThanOrEqual(maxBytes);
      }),
    );
  });
});
