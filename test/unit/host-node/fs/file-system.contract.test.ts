import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileSystem } from '../../../../engine/src/ports/file-system.js';
import { memoryFileSystem } from '../../../../engine/src/testing/memory-file-system.js';
import { createFileSystem } from '../../../../hosts/node/src/fs/file-system.js';
import { createFsPathPolicy } from '../../../../hosts/node/src/fs/fs-path-policy.js';
import { requirement, requirements } from '../../requirement.js';

/** What both implementations of the port promise. */
const FILES = { 'a.txt': 'one\ntwo\nthree', 'docs/x.md': 'X', 'docs/deep/y.md': 'Y', 'docs/z.txt': 'grüße' };
const call = { node: 'test', attempt: 1, signal: new AbortController().signal };
const folders: string[] = [];

const implementations: readonly (readonly [name: string, make: () => FileSystem])[] = [
  ['in memory', () => memoryFileSystem(FILES)],
  [
    'on disk',
    () => {
      const workspaceDir = realpathSync(mkdtempSync(join(tmpdir(), 'contract-')));
      folders.push(workspaceDir);
      for (const [path, content] of Object.entries(FILES)) {
        mkdirSync(dirname(join(workspaceDir, path)), { recursive: true });
        writeFileSync(join(workspaceDir, path), content);
      }
      return createFileSystem(createFsPathPolicy({ workspaceDir }));
    },
  ],
];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.each(implementations)('files %s', (_name, make) => {
  let fs: FileSystem;
  beforeAll(() => {
    fs = make();
  });

  it('are read whole or by lines', async () => {
    expect(await fs.read({ path: 'docs/../a.txt', maxBytes: 100 }, call)).toMatchObject({ content: 'one\ntwo\nthree', sizeBytes: 13 });
    expect(await fs.read({ path: 'a.txt', startLine: 2, lineCount: 1, maxBytes: 100 }, call)).toMatchObject({
      content: 'two\n',
      sizeBytes: 13,
    });
    expect(await fs.read({ path: 'z.txt', root: 'docs', maxBytes: 7 }, call)).toMatchObject({ content: 'grüße' });
    await expect(fs.read({ path: 'docs/z.txt', maxBytes: 6 }, call)).rejects.toMatchObject({ code: 'tool_failed', reason: 'too_large' });
    await expect(fs.read({ path: 'none', maxBytes: 6 }, call)).rejects.toMatchObject({ code: 'tool_failed', reason: 'missing' });
  });

  it('are read by a pattern, sorted', async () => {
    const { files } = await fs.readGlob({ path: 'docs/**/*.md', maxBytes: 100 }, call);
    expect(files.map(({ path, content }) => [path, content])).toEqual([
      ['docs/deep/y.md', 'Y'],
      ['docs/x.md', 'X'],
    ]);
  });

  it(requirements(['LD-01', 'LD-02', 'LD-03'], 'are listed, sorted'), async () => {
    const list = async (recursive: boolean, glob?: string) =>
      (await fs.list({ path: 'docs', recursive, maxEntries: 10, ...(glob === undefined ? {} : { glob }) }, call)).entries.map(
        ({ name, type }) => `${type} ${name}`,
      );
    expect(await list(false)).toEqual(['directory deep', 'file x.md', 'file z.txt']);
    expect(await list(true)).toEqual(['directory deep', 'file deep/y.md', 'file x.md', 'file z.txt']);
    expect(await list(true, '**/*.md')).toEqual(['file deep/y.md', 'file x.md']);
    expect(await fs.list({ path: 'docs', recursive: true, maxEntries: 2 }, call)).toMatchObject({ truncated: true });
  });

  it('are written and appended to', async () => {
    expect(await fs.write({ path: 'new/a.txt', content: 'ü', append: false, createParents: true }, call)).toEqual({
      path: 'new/a.txt',
      bytesWritten: 2,
    });
    await fs.write({ path: 'new/a.txt', content: '!', append: true, createParents: false }, call);
    expect(await fs.read({ path: 'new/a.txt', maxBytes: 10 }, call)).toMatchObject({ content: 'ü!' });
    await expect(fs.write({ path: 'nowhere/a.txt', content: '', append: false, createParents: false }, call)).rejects.toMatchObject({
      reason: 'missing_parent',
    });
  });

  it(requirement('WF-04', 'outside the workspace are refused'), async () => {
    for (const path of ['../x', '/etc/hostname', 'docs/../../x']) {
      await expect(fs.check('read', path)).rejects.toMatchObject({ code: 'tool_denied', reason: 'path_denied' });
      await expect(fs.read({ path, maxBytes: 10 }, call)).rejects.toMatchObject({ code: 'tool_denied', reason: 'path_denied' });
    }
  });
});
