import { describe, expect, it } from 'vitest';
import { deepestExistingReal, type ResolveOperations } from '../../../../engine/src/paths/deepest-existing-real.js';
import { requirements } from '../../requirement.js';

type Entry = 'dir' | 'file' | 'dangling' | { readonly error: string } | { readonly link: string };

/** A file system of three answers. Every entry that is not listed is missing. */
function operations(entries: Readonly<Record<string, Entry>>): ResolveOperations {
  const entryOf = (path: string): Entry => entries[path] ?? { error: 'MISSING' };
  const fail = (code: string): never => {
    throw Object.assign(new Error(code), { code });
  };
  return {
    async realpath(path) {
      const entry = entryOf(path);
      if (entry === 'dangling') return fail('MISSING');
      if (typeof entry === 'string') return path;
      return 'link' in entry ? entry.link : fail(entry.error);
    },
    async lstat(path) {
      const entry = entryOf(path);
      if (typeof entry === 'object' && 'error' in entry) return fail(entry.error);
      return { isDirectory: () => entry === 'dir' };
    },
    dirname: (path) => path.slice(0, Math.max(path.lastIndexOf('/'), 1)),
    isMissing: (error) => (error as { code?: string }).code === 'MISSING',
  };
}

describe('the deepest ancestor that exists', () => {
  it('is the folder itself where it exists', async () => {
    expect(await deepestExistingReal('/a/b', operations({ '/a/b': 'dir' }))).toEqual({ ok: true, at: '/a/b', real: '/a/b' });
  });

  it(requirements(['AR-01', 'AR-02', 'AR-08'], 'is found by climbing over what is missing, and named by both its paths'), async () => {
    expect(await deepestExistingReal('/a/b/c/d', operations({ '/': 'dir', '/a': { link: '/real' }, '/real': 'dir' }))).toEqual({
      ok: true,
      at: '/a',
      real: '/real',
    });
  });

  it.each([
    ['a link to nothing', { '/a/b': 'dangling', '/a': 'dir' }],
    ['a file', { '/a/b': 'file', '/a': 'dir' }],
    ['no permission', { '/a/b': { error: 'EACCES' }, '/a': 'dir' }],
    ['a loop of links', { '/a/b': { error: 'ELOOP' }, '/a': 'dir' }],
    ['a file in place of a folder', { '/a/b': { error: 'ENOTDIR' }, '/a': 'file' }],
    ['nothing at all, up to the top', {}],
  ] as const)(requirements(['AR-03', 'AR-04', 'AR-05', 'AR-06', 'AR-07'], 'is refused without a reason at %s'), async (_what, entries) => {
    expect(await deepestExistingReal('/a/b/c', operations(entries))).toEqual({ ok: false });
  });
});
