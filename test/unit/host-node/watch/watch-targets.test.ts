import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCoveredBy, watchedBy } from '../../../../hosts/node/src/watch/watch-targets.js';

function folder(...files: string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'relavium-targets-')));
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return root;
}

describe('what is watched', () => {
  it('is a file that is named, and nothing else in its folder', () => {
    const root = folder('src/a.txt', 'src/b.txt', 'src/deep/c.txt');
    const watched = watchedBy({ files: [join(root, 'src/a.txt')], globs: [] });
    expect([watched.files, watched.trees]).toEqual([[join(root, 'src/a.txt')], []]);
    expect(watched.nameOf(join(root, 'src/a.txt'))).toBe(join(root, 'src/a.txt'));
    expect(watched.nameOf(join(root, 'src/b.txt'))).toBeUndefined();
    expect(watched.mayHold(join(root, 'src'))).toBe(false);
  });

  it('is the deepest folder that is there, and the way down from it, where a pattern looks into one that is yet to be made', () => {
    const root = folder('a.txt');
    const watched = watchedBy({ files: [], globs: [{ root, pattern: 'nor/this/*.md' }] });
    expect(watched.trees).toEqual([root]);
    for (const way of ['nor', 'nor/this']) expect(watched.mayHold(join(root, way)), way).toBe(true);
    for (const other of ['other', 'nor/other', 'nor/this/deeper']) expect(watched.mayHold(join(root, other)), other).toBe(false);
    expect(watched.nameOf(join(root, 'nor/this/new.md'))).toBe(join(root, 'nor/this/new.md'));
  });

  it('begins below the part of a pattern that has no wildcard, and goes no deeper than it can match', () => {
    const root = folder('src/a/b/c.md');
    const one = watchedBy({ files: [], globs: [{ root, pattern: 'src/*/x?.md' }] });
    expect(one.trees).toEqual([join(root, 'src')]);
    expect(one.mayHold(join(root, 'src/a'))).toBe(true);
    expect(one.mayHold(join(root, 'src/a/b'))).toBe(false);
    expect(one.nameOf(join(root, 'src/a/x1.md'))).toBeDefined();
    expect(one.nameOf(join(root, 'src/x1.md'))).toBeUndefined();
    const all = watchedBy({ files: [], globs: [{ root, pattern: './src/**/*.md' }] });
    expect(all.mayHold(join(root, 'src/a/b'))).toBe(true);
    expect(all.nameOf(join(root, 'src/c.md'))).toBeDefined();
  });

  it('is never what tools put into a project, by a pattern, but is where such a file is named', () => {
    const root = folder('.relavium/workflows/w.yaml');
    const watched = watchedBy({ files: [join(root, '.relavium/workflows/w.yaml')], globs: [{ root, pattern: '**' }] });
    for (const name of ['node_modules', '.git', '.relavium']) {
      expect(watched.nameOf(join(root, 'sub', name, 'x')), name).toBeUndefined();
      expect(watched.mayHold(join(root, 'sub', name)), name).toBe(false);
    }
    expect(watched.nameOf(join(root, '.relavium/workflows/w.yaml'))).toBeDefined();
    expect(
      watchedBy({ files: [], globs: [{ root, pattern: 'node_modules/x/*.js' }] }).nameOf(join(root, 'node_modules/x/a.js')),
    ).toBeUndefined();
  });

  it('leaves out what is ignored: a file, or a folder with all that is in it', () => {
    const root = folder('src/a.md');
    const watched = watchedBy({ files: [], globs: [{ root, pattern: 'src/**/*.md', ignore: ['src/old', '**/draft-*', 'src/gen/**'] }] });
    for (const left of ['src/old/a.md', 'src/old/deep/a.md', 'src/x/draft-1.md', 'src/gen/a.md'])
      expect(watched.nameOf(join(root, left)), left).toBeUndefined();
    for (const kept of ['src/a.md', 'src/older/a.md']) expect(watched.nameOf(join(root, kept)), kept).toBeDefined();
    for (const left of ['src/old', 'src/gen']) expect(watched.mayHold(join(root, left)), left).toBe(false);
  });

  it('follows links to what they lead to, under the name that was given', () => {
    const root = folder('real/target.txt', 'real/tree/a.md');
    symlinkSync('real/target.txt', join(root, 'link.txt'));
    symlinkSync('real/tree', join(root, 'linked'));
    const watched = watchedBy({ files: [join(root, 'link.txt')], globs: [{ root, pattern: 'linked/*.md' }] });
    expect(watched.files).toEqual([join(root, 'link.txt'), join(root, 'real/target.txt')]);
    expect(watched.trees).toEqual([join(root, 'real/tree')]);
    expect(watched.nameOf(join(root, 'link.txt'))).toBe(join(root, 'link.txt'));
    expect(watched.nameOf(join(root, 'real/target.txt'))).toBe(join(root, 'link.txt'));
    expect(watched.nameOf(join(root, 'real/tree/a.md'))).toBe(join(root, 'linked/a.md'));
    expect(watched.mayHold(join(root, 'real/tree'))).toBe(true);
  });

  it('takes brackets and braces in a name for what they are', () => {
    const root = folder('a[1].md');
    const watched = watchedBy({ files: [], globs: [{ root, pattern: 'a[1].*' }] });
    expect(watched.nameOf(join(root, 'a[1].md'))).toBeDefined();
    expect(watched.nameOf(join(root, 'a1.md'))).toBeUndefined();
  });

  it('is told for one pattern, too', () => {
    const root = folder('src/a.md');
    expect(isCoveredBy({ root, pattern: 'src/*.md' }, join(root, 'src/a.md'))).toBe(true);
    expect(isCoveredBy({ root, pattern: 'src/*.md' }, join(root, 'src/gone.md'))).toBe(true);
    expect(isCoveredBy({ root, pattern: 'src/*.md' }, join(root, 'a.md'))).toBe(false);
  });
});
