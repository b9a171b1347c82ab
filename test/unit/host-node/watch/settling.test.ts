import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSettling, type Snapshot } from '../../../../hosts/node/src/watch/settling.js';

const file = (mtimeMs: number, more: Partial<Snapshot> = {}): Snapshot => ({ ino: 1, size: 10, mtimeMs, ctimeMs: mtimeMs, ...more });
const paths = (settled: readonly { readonly path: string }[]): string[] => settled.map(({ path }) => path);

describe('settling', () => {
  it('tells of a file once it has not moved for the debounce time, and once only', () => {
    const settling = createSettling(500);
    settling.start('a', file(0), 10_000);
    settling.look('a', file(10_100), 10_100);
    settling.look('a', file(10_400, { size: 11 }), 10_400);
    expect([settling.due(), paths(settling.take(10_899))]).toEqual([10_900, []]);
    expect(settling.take(10_900)).toEqual([{ path: 'a', found: file(10_400, { size: 11 }) }]);
    expect([settling.due(), settling.take(99_999)]).toEqual([undefined, []]);
  });

  it('tells of files that move together at one time', () => {
    const settling = createSettling(500);
    settling.look('a', file(100), 100);
    settling.look('b', file(400), 400);
    expect(paths(settling.take(700))).toEqual([]);
    expect(paths(settling.take(900))).toEqual(['a', 'b']);
  });

  it('does not wait for ever for a file that never rests', () => {
    const settling = createSettling(100);
    settling.look('quiet', file(0), 0);
    const told: [number, string[]][] = [];
    for (let at = 0; at <= 2_000; at += 50) {
      settling.look('log', file(at, { ino: 2, size: at }), at);
      const found = paths(settling.take(at));
      if (found.length > 0) told.push([at, found]);
    }
    expect(told).toEqual([[1_100, ['quiet']]]);
  });

  it('tells at once of a whole file that was put in place, whatever else moves', () => {
    const settling = createSettling(500);
    settling.start('a', file(0), 10_000);
    settling.look('b', file(10_000, { ino: 7 }), 10_000);
    settling.look('a', file(9_000, { ino: 2, ctimeMs: 10_000 }), 10_000);
    expect(settling.due()).toBe(10_020);
    expect(paths(settling.take(10_020))).toEqual(['a']);
    expect(paths(settling.take(10_500))).toEqual(['b']);
  });

  it('takes a new file that is still written to, an empty one, or one whose mode changed for no whole file', () => {
    for (const found of [file(10_000, { ino: 2 }), file(9_000, { ino: 2, size: 0, ctimeMs: 10_000 }), file(9_000, { ctimeMs: 10_000 })]) {
      const settling = createSettling(500);
      settling.start('a', file(0), 10_000);
      settling.look('a', found, 10_000);
      expect(settling.due()).toBe(10_500);
    }
  });

  it('does not tell of a file that is again what it was, nor of one that came and went', () => {
    const settling = createSettling(500);
    settling.start('a', file(0), 10_000);
    settling.look('a', undefined, 10_000);
    settling.look('a', file(0), 10_100);
    settling.look('b', file(10_000), 10_000);
    settling.look('b', undefined, 10_100);
    expect(settling.take(99_999)).toEqual([]);
  });

  it('tells of a file that is gone', () => {
    const settling = createSettling(500);
    settling.start('a', file(0), 10_000);
    settling.look('a', undefined, 10_000);
    expect(settling.take(10_500)).toEqual([{ path: 'a' }]);
  });

  it('takes a file that was written to a moment before the start for one that moves, and tells of it only if it does', () => {
    const settling = createSettling(500);
    settling.start('old', file(0), 10_000);
    settling.start('still', file(9_800), 10_000);
    settling.start('more', file(9_900, { ino: 2 }), 10_000);
    settling.start('future', file(99_999_999), 10_000);
    expect([settling.moving, settling.due()]).toEqual([['still', 'more'], 10_300]);
    settling.look('more', file(10_100, { ino: 2 }), 10_100);
    expect(paths(settling.take(10_300))).toEqual([]);
    expect(paths(settling.take(10_600))).toEqual(['more']);
  });

  it('passes over what the run itself wrote, until somebody else writes', () => {
    const settling = createSettling(500);
    settling.own('a', file(100));
    settling.look('a', file(100), 100);
    expect(settling.take(600)).toEqual([]);
    settling.look('a', file(700), 700);
    expect(paths(settling.take(1_200))).toEqual(['a']);
  });

  it('in the end has told exactly of what differs from what it was, however writes, looks and ticks fall', () => {
    const step = fc.record({
      path: fc.constantFrom('a', 'b', 'c'),
      wait: fc.integer({ min: 1, max: 700 }),
      kind: fc.constantFrom('write', 'replace', 'remove', 'tick'),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const settling = createSettling(500);
        const disk = new Map<string, Snapshot | undefined>();
        const told = new Map<string, Snapshot | undefined>();
        let now = 1_000;
        let ino = 1;
        const take = (): void => {
          for (const { path, found } of settling.take(now)) {
            expect(found, 'differs from what was told last').not.toEqual(told.get(path));
            told.set(path, found);
          }
        };
        for (const { path, wait, kind } of steps) {
          now += wait;
          if (kind === 'write') disk.set(path, file(now, { ino: disk.get(path)?.ino ?? ++ino }));
          if (kind === 'replace') disk.set(path, file(now - 5, { ino: ++ino, ctimeMs: now }));
          if (kind === 'remove') disk.set(path, undefined);
          settling.look(path, disk.get(path), now);
          take();
        }
        for (let due = settling.due(); due !== undefined; due = settling.due()) {
          expect(due).toBeGreaterThan(0);
          now = Math.max(now, due);
          take();
        }
        for (const [path, found] of disk) expect(told.get(path)).toEqual(found);
      }),
    );
  });
});
