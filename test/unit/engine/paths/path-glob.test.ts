import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPattern, pathGlob } from '../../../../engine/src/paths/path-glob.js';

const names = fc.array(fc.constantFrom('a', 'b', 'ab', '.a'), { minLength: 1, maxLength: 5 });
const patterns = fc.array(fc.constantFrom('a', '*', '?', 'a*', '**', '*b'), { minLength: 1, maxLength: 5 });

describe('a pattern over paths', () => {
  it('agrees with its definition', () => {
    fc.assert(
      fc.property(patterns, names, (pattern, path) => pathGlob(pattern.join('/')).matches(path.join('/')) === byDefinition(pattern, path)),
      { numRuns: 5_000 },
    );
  });

  it('gives up a folder exactly when nothing below it can match', () => {
    fc.assert(
      fc.property(patterns, names, (pattern, folder) => {
        const glob = pathGlob(pattern.join('/'));
        const state = folder.reduce(glob.next, glob.start);
        const below = [['a'], ['b'], ['ab'], ['a', 'a'], ['a', 'b'], ['a', 'ab', 'b'], ['ab', 'a', 'a', 'b'], ['a', 'a', 'ab', 'b', 'a']];
        if (glob.isDead(state)) expect(below.some((rest) => byDefinition(pattern, [...folder, ...rest]))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes every other character for itself', () => {
    for (const text of ['[ab]', '{a,b}', '!a', '+(a)', 'a\\b', '$x', '(a|b)']) {
      expect(pathGlob(text).matches(text)).toBe(true);
      expect(pathGlob(text).matches('a')).toBe(false);
      expect(isPattern(text)).toBe(false);
    }
  });

  it('is cheap for many wildcards', () => {
    const glob = pathGlob(`${'**/'.repeat(200)}${'*a'.repeat(200)}b`);
    expect(glob.matches(`${'x/'.repeat(200)}${'a'.repeat(200)}`)).toBe(false);
  });
});

function byDefinition(pattern: readonly string[], path: readonly string[]): boolean {
  const [segment, ...rest] = pattern;
  const [name, ...others] = path;
  if (segment === undefined) return name === undefined;
  if (segment === '**') return byDefinition(rest, path) || (name !== undefined && byDefinition(pattern, others));
  return (
    name !== undefined && new RegExp(`^${segment.replace('*', '.*').replace('?', '.')}$`, 'u').test(name) && byDefinition(rest, others)
  );
}
