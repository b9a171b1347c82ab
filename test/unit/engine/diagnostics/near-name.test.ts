import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, nearName, onlyNearName } from '../../../../engine/src/diagnostics/near-name.js';

describe('a near name', () => {
  it('is within three edits, and within a third of the name', () => {
    expect(nearName('transfrom', ['transform', 'tool'])).toBe('transform');
    expect(nearName('ab', ['cd', 'xyz'])).toBeUndefined();
    expect(nearName('abcdefghi', ['abcdefxyz'])).toBe('abcdefxyz');
    expect(nearName('abcdefgh', ['abcdeXYZ'])).toBeUndefined();
  });

  it('counts two neighbours in the wrong order, or another case, as one slip', () => {
    expect(nearName('oen', ['one'])).toBe('one');
    expect(nearName('READ_FILE', ['read_file'])).toBe('read_file');
  });

  it('is only for a fix where no other name is as near', () => {
    expect(onlyNearName('colr', ['color', 'colt'])).toBeUndefined();
    expect(onlyNearName('color', ['colour'])).toBe('colour');
    expect(nearName('colr', ['color', 'colt'])).toBe('color');
  });

  it('is never the name itself, and one of the candidates', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (name, candidates) => {
        const near = nearName(name, candidates);
        expect(near === undefined || (candidates.includes(near) && near !== name)).toBe(true);
      }),
    );
  });

  it('becomes a question', () => {
    expect(didYouMean('x')).toBe('did you mean "x"?');
    expect(didYouMean(undefined)).toBeUndefined();
  });
});
