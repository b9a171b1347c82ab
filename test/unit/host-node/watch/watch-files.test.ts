import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type FileWatch, type WatchOptions, watchFiles } from '../../../../hosts/node/src/watch/watch-files.js';

const open: FileWatch[] = [];
afterEach(async () => {
  for (const watch of open.splice(0)) await watch.close();
});

function folder(...files: string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'relavium-watch-')));
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), 'first');
    utimesSync(join(root, file), 1, 1);
  }
  return root;
}

interface Seen {
  readonly watch: FileWatch;
  readonly bursts: string[][];
  /** Waits for so many bursts. */
  has(count: number): Promise<void>;
}

async function watching(options: Pick<WatchOptions, 'targets'> & Partial<WatchOptions>): Promise<Seen> {
  const bursts: string[][] = [];
  const problems: string[] = [];
  const watch = watchFiles({
    debounceMs: 60,
    onChange: (files) => bursts.push(files.map(({ path, exists }) => `${basename(path)}${exists ? '' : ' gone'}`)),
    onProblem: (message) => problems.push(message),
    ...options,
  });
  open.push(watch);
  await watch.begun;
  return {
    watch,
    bursts,
    async has(count) {
      const end = Date.now() + 10_000;
      while (bursts.length < count) {
        if (Date.now() > end) throw new Error(`${count} bursts were awaited, and there were ${JSON.stringify(bursts)} ${problems}`);
        await sleep(5);
      }
    },
  };
}

describe('watchFiles', () => {
  it('goes on seeing a file that is put in place again and again, removed and made anew', async () => {
    const root = folder('a.txt');
    const seen = await watching({ targets: { files: [join(root, 'a.txt')], globs: [] } });
    for (let round = 0; round < 5; round++) {
      writeFileSync(join(root, 'new'), `round ${round}`);
      renameSync(join(root, 'new'), join(root, 'a.txt'));
      await seen.has(seen.bursts.length + 1);
    }
    rmSync(join(root, 'a.txt'));
    await seen.has(6);
    writeFileSync(join(root, 'a.txt'), 'again');
    await seen.has(7);
    expect(seen.bursts).toEqual([...Array(5).fill(['a.txt']), ['a.txt gone'], ['a.txt']]);
  });

  it('sees files in folders that are made later, and a folder that is moved away', async () => {
    const root = folder('x');
    const seen = await watching({ targets: { files: [join(root, 'later/deep/a.txt')], globs: [{ root, pattern: 'tree/**/*.md' }] } });
    mkdirSync(join(root, 'later/deep'), { recursive: true });
    mkdirSync(join(root, 'tree/one/two'), { recursive: true });
    writeFileSync(join(root, 'later/deep/a.txt'), 'x');
    writeFileSync(join(root, 'tree/one/two/b.md'), 'x');
    await seen.has(1);
    await seen.watch.quiet();
    expect(seen.bursts.flat().sort()).toEqual(['a.txt', 'b.md']);
    renameSync(join(root, 'tree/one'), join(root, 'elsewhere'));
    await seen.has(seen.bursts.length + 1);
    expect(seen.bursts.at(-1)).toEqual(['b.md gone']);
  });

  it('sees a file whose folder is removed, moved away and made anew', async () => {
    const root = folder('w.yaml', 'sub/deep/a.txt');
    const path = join(root, 'sub/deep/a.txt');
    const seen = await watching({ targets: { files: [join(root, 'w.yaml'), path], globs: [] } });
    renameSync(join(root, 'sub'), join(root, 'moved'));
    await seen.has(1);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'new');
    await seen.has(2);
    rmSync(join(root, 'sub'), { recursive: true });
    await seen.has(3);
    renameSync(join(root, 'moved'), join(root, 'sub'));
    await seen.has(4);
    writeFileSync(path, 'again');
    await seen.has(5);
    mkdirSync(join(root, 'next/deep'), { recursive: true });
    writeFileSync(join(root, 'next/deep/a.txt'), 'swapped in');
    renameSync(join(root, 'sub'), join(root, 'previous'));
    renameSync(join(root, 'next'), join(root, 'sub'));
    await seen.has(6);
    writeFileSync(path, 'and changed there');
    await seen.has(7);
    expect(seen.bursts).toEqual([['a.txt gone'], ['a.txt'], ['a.txt gone'], ...Array(4).fill(['a.txt'])]);
  });

  it('tells of a link and of what it leads to under the name of the link', async () => {
    const root = folder('real/target.txt');
    symlinkSync('real/target.txt', join(root, 'link.txt'));
    const seen = await watching({ targets: { files: [join(root, 'link.txt')], globs: [] } });
    writeFileSync(join(root, 'real/target.txt'), 'second');
    await seen.has(1);
    expect(seen.bursts).toEqual([['link.txt']]);
  });

  it('does not follow links to folders below a pattern, so that a loop of them ends', async () => {
    const root = folder('tree/a.md', 'outside/b.md');
    symlinkSync('..', join(root, 'tree/loop'));
    symlinkSync('../outside', join(root, 'tree/linked'));
    const seen = await watching({ targets: { files: [], globs: [{ root, pattern: 'tree/**/*.md' }] } });
    writeFileSync(join(root, 'outside/b.md'), 'second');
    await sleep(200);
    writeFileSync(join(root, 'tree/a.md'), 'second');
    await seen.has(1);
    await sleep(200);
    expect(seen.bursts).toEqual([['a.md']]);
  });

  it('loses nothing while its targets change', async () => {
    const root = folder('a.txt', 'other/b.txt');
    const a = join(root, 'a.txt');
    const seen = await watching({ targets: { files: [a], globs: [] } });
    writeFileSync(a, 'second');
    seen.watch.retarget({ files: [a, join(root, 'other/b.txt')], globs: [] });
    await seen.has(1);
    await seen.watch.quiet();
    writeFileSync(join(root, 'other/b.txt'), 'second');
    await seen.has(2);
    seen.watch.retarget({ files: [join(root, 'other/b.txt')], globs: [] });
    await seen.watch.quiet();
    writeFileSync(a, 'third');
    await sleep(200);
    expect(seen.bursts).toEqual([['a.txt'], ['b.txt']]);
  });

  it('misses no file that goes while its targets change', async () => {
    const root = folder('tree/a.md');
    const seen = await watching({ targets: { files: [], globs: [{ root, pattern: 'tree/*.md' }] } });
    seen.watch.retarget({ files: [], globs: [{ root, pattern: 'tree/*' }] });
    rmSync(join(root, 'tree/a.md'));
    await seen.has(1);
    expect(seen.bursts).toEqual([['a.md gone']]);
  });

  it('passes over what is said to be written here, and nothing is told while it is', async () => {
    const root = folder('own.txt', 'other.txt');
    const seen = await watching({ targets: { files: [], globs: [{ root, pattern: '*.txt' }] } });
    const end = seen.watch.writing();
    writeFileSync(join(root, 'own.txt'), 'ours');
    writeFileSync(join(root, 'other.txt'), 'theirs');
    await sleep(200);
    expect(seen.bursts).toEqual([]);
    end(join(root, 'own.txt'));
    await seen.has(1);
    expect(seen.bursts).toEqual([['other.txt']]);
    const unwritten = seen.watch.writing();
    unwritten(undefined);
    writeFileSync(join(root, 'own.txt'), 'theirs');
    await seen.has(2);
    expect(seen.bursts[1]).toEqual(['own.txt']);
  });

  it('is not quiet while a file that was begun before it is still written to', async () => {
    const root = folder('old.txt');
    writeFileSync(join(root, 'a.txt'), 'half');
    const { watch, bursts } = await watching({ targets: { files: [join(root, 'a.txt')], globs: [] }, debounceMs: 300 });
    setTimeout(() => writeFileSync(join(root, 'a.txt'), 'half and half'), 150);
    await watch.quiet();
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('half and half');
    expect(bursts).toEqual([['a.txt']]);
  });

  it('tells of a thousand files that change together as one burst', async () => {
    const root = folder(...Array.from({ length: 1_000 }, (_, n) => `tree/${n % 20}/${n}.md`));
    const seen = await watching({ targets: { files: [], globs: [{ root, pattern: 'tree/**' }] }, debounceMs: 500 });
    for (let n = 0; n < 1_000; n++) writeFileSync(join(root, `tree/${n % 20}/${n}.md`), 'second');
    await seen.has(1);
    expect(seen.bursts.map(({ length }) => length)).toEqual([1_000]);
  });
});
