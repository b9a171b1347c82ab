import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../../../engine/src/registry/glob.js';

const letters = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 8 });
const globs = fc.array(fc.constantFrom('a', 'b', '*', '?'), { maxLength: 8 });
const isWild = (character: string) => character !== '\n';

describe('the glob of commands', () => {
  it('agrees with the definition of a glob on every text', () => {
    fc.assert(
      fc.property(globs, letters, (glob, text) => {
        expect(matchesGlob(glob, text, isWild)).toBe(byDefinition(glob, text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('takes every character but * and ? for itself', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 1 }).filter((character) => !'*?'.includes(character))), (text) => {
        expect(matchesGlob(text, text)).toBe(true);
      }),
    );
  });

  it('looks at each pair of positions at most once for many stars against a near miss', () => {
    let looks = 0;
    const count = () => {
      looks++;
      return true;
    };
    const glob = [...`${'*a'.repeat(200)}b`];
    const text = [...'a'.repeat(2_000)];
    expect(matchesGlob(glob, text, count)).toBe(false);
    expect(looks).toBeLessThan(glob.length * text.length);
  });
});

/** Exponential, and plainly right. */
function byDefinition(glob: readonly string[], text: readonly string[]): boolean {
  const [wanted, ...rest] = glob;
  if (wanted === undefined) return text.length === 0;
  const [found, ...others] = text;
  if (wanted !== '*') return found !== undefined && (wanted === found || (wanted === '?' && isWild(found))) && byDefinition(rest, others);
  return byDefinition(rest, text) || (found !== undefined && isWild(found) && byDefinition(glob, others));
}
