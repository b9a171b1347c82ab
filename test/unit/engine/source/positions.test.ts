import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineIndex, positionAt } from '../../../../engine/src/source/positions.js';
import { sourceFromBytes } from '../../../../engine/src/source/source-from-bytes.js';
import { decodeUtf8 } from '../parse/decode.js';

describe('positions', () => {
  it('count lines and columns from 1, columns in UTF-16 units', () => {
    const text = 'ab\r\n😀c\n';
    const index = lineIndex(text);
    expect(positionAt(index, 0)).toEqual({ line: 1, column: 1 });
    expect(positionAt(index, 4)).toEqual({ line: 2, column: 1 });
    expect(positionAt(index, 6)).toEqual({ line: 2, column: 3 });
    expect(positionAt(index, text.length)).toEqual({ line: 3, column: 1 });
  });

  it('lead back to the offset', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '\n', '\r\n', '😀')), (parts) => {
        const text = parts.join('');
        const index = lineIndex(text);
        for (let offset = 0; offset <= text.length; offset += 1) {
          const { line, column } = positionAt(index, offset);
          expect((index[line - 1] as number) + column - 1).toBe(offset);
        }
      }),
    );
  });
});

describe('the bytes of a file', () => {
  it('become text without the byte order mark', () => {
    const read = sourceFromBytes('a.yaml', new TextEncoder().encode('\ufeffa: 1'), decodeUtf8);
    expect('source' in read && read.source).toEqual({ path: 'a.yaml', text: 'a: 1' });
  });

  it('above 2 MiB are refused before they are decoded', () => {
    const decode = (): never => {
      throw new Error('must not be called');
    };
    const read = sourceFromBytes('a.yaml', new Uint8Array(2 * 1024 * 1024 + 1), decode);
    expect('diagnostic' in read && read.diagnostic.code).toBe('too_large');
    expect('source' in sourceFromBytes('a.yaml', new Uint8Array(2 * 1024 * 1024).fill(32), decodeUtf8)).toBe(true);
  });

  it('that are no UTF-8 are refused', () => {
    const read = sourceFromBytes('a.yaml', Uint8Array.of(0x61, 0xff), decodeUtf8);
    expect('diagnostic' in read && read.diagnostic.code).toBe('encoding');
  });
});
