import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReadRequest, WriteRequest } from '../../../../engine/src/ports/file-system.js';
import { createRegistry } from '../../../../engine/src/registry/create-registry.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';
import { createFileSystem } from '../../../../hosts/node/src/fs/file-system.js';
import { createFsPathPolicy, type FsPathPolicyOptions, withKept } from '../../../../hosts/node/src/fs/fs-path-policy.js';
import { saveOutput } from '../../../../hosts/node/src/fs/save-output.js';
import { callOf } from '../../engine/registry/call-of.js';
import { requirement, requirements } from '../../requirement.js';

let base: string;
let workspace: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'files-')));
  workspace = join(base, 'ws');
  mkdirSync(workspace);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const call = { node: 'test', attempt: 1, signal: new AbortController().signal };
const put = (path: string, content: string | Uint8Array = 'text') => {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  writeFileSync(join(workspace, path), content);
};
const at = (path: string) => join(workspace, path);
const policyOf = (options: Partial<FsPathPolicyOptions> = {}) => createFsPathPolicy({ workspaceDir: workspace, ...options });
const files = (options: Partial<FsPathPolicyOptions> = {}) => createFileSystem(policyOf(options));
const read = (path: string, more: Partial<ReadRequest> = {}) => files().read({ path, maxBytes: 1_000_000, ...more }, call);
const glob = (path: string) => files().readGlob({ path, maxBytes: 1_000_000 }, call);
const write = (path: string, content: string, more: Partial<WriteRequest> = {}) =>
  files().write({ path, content, append: false, createParents: false, ...more }, call);
const list = (path: string, more: { recursive?: boolean; glob?: string; maxEntries?: number } = {}) =>
  files().list({ path, recursive: false, maxEntries: 1_000, ...more }, call);
const namesIn = async (...request: Parameters<typeof list>) => (await list(...request)).entries.map(({ name }) => name);
const refusal = { code: 'tool_denied', reason: 'path_denied' };

describe('a floor', () => {
  it(requirements(['FA-11', 'AF-02'], 'holds whatever a person answers, and nobody is asked'), async () => {
    put('.npmrc', 'token');
    const policy = { allowedCommands: [], allowedCommandGlobs: [], allowedDomains: [], fsScope: 'full' } as const;
    const registry = createRegistry({ tools: builtinTools, host: { fs: files({ tier: 'full' }) }, policy });
    const asked: string[] = [];
    for (const answer of ['not_needed', 'approved', 'rejected', 'no_hook'] as const) {
      const decide = async ({ tool }: { readonly tool: string }) => {
        asked.push(tool);
        return answer;
      };
      const approval = { decide };
      const calls = [
        callOf('write_file', { caller: 'agent', modelArgs: { path: '.npmrc', content: 'x' }, approval }),
        callOf('write_file', {
          caller: 'agent',
          modelArgs: { path: '.git/hooks/pre-commit', content: 'x', create_parents: true },
          approval,
        }),
        callOf('read_file', { caller: 'agent', modelArgs: { path: '.npmrc' }, approval }),
      ];
      for (const one of calls)
        expect(await registry.dispatch(one)).toMatchObject({
          ok: false,
          error: { code: 'tool_denied', details: { reason: 'path_denied' } },
        });
    }
    expect([asked, readFileSync(at('.npmrc'), 'utf8'), readdirSync(workspace)]).toEqual([[], 'token', ['.npmrc']]);
  });
});

describe('what decides what a run may do', () => {
  it('is written by no tool: its sources, by whatever way, and folders that are kept', async () => {
    put('w.relavium.yaml');
    put('program/a.js');
    symlinkSync('w.relavium.yaml', at('link'));
    const policy = withKept(withKept(policyOf(), [at('program')]), [at('w.relavium.yaml'), at('none')]);
    const fs = createFileSystem(policy);
    for (const path of ['w.relavium.yaml', './w.relavium.yaml', 'link', 'program/a.js', 'program/b.js'])
      await expect(fs.write({ path, content: 'x', append: false, createParents: true }, call), path).rejects.toMatchObject(refusal);
    await expect(saveOutput(policy, 'w.relavium.yaml', 'x')).rejects.toMatchObject(refusal);
    await expect(fs.write({ path: 'none', content: 'x', append: false, createParents: false }, call)).rejects.toMatchObject(refusal);
    expect((await fs.read({ path: 'w.relavium.yaml', maxBytes: 100 }, call)).content).toBe('text');
    expect(await fs.write({ path: 'other.relavium.yaml', content: 'x', append: false, createParents: false }, call)).toBeDefined();
  });

  it('is asked about by the file that would be touched', async () => {
    put('real.txt');
    symlinkSync('real.txt', at('link'));
    expect(await files().check('write', 'sub/../link')).toBe('real.txt');
    expect(await files().check('write', 'new.txt')).toBe('new.txt');
  });

  it('is no repository that a tool makes or changes', async () => {
    for (const path of ['HEAD', 'sub/HEAD', 'sub/head'])
      await expect(write(path, 'x', { createParents: true }), path).rejects.toMatchObject(refusal);
    await write('config', 'x');
    put('mirror/HEAD', 'ref: refs/heads/main');
    put('mirror/objects/x');
    for (const path of ['mirror/config', 'mirror/hooks/post-receive', 'mirror/commondir'])
      await expect(write(path, 'x', { createParents: true }), path).rejects.toMatchObject(refusal);
    await write('mirror/description', 'x');
  });
});

describe('reading a file', () => {
  it(requirements(['RF-01', 'RF-03', 'RS-01'], 'gives text, type, size and time'), async () => {
    put('docs/a.md', '# grüße\n');
    expect(await read('docs/a.md')).toEqual({
      content: '# grüße\n',
      mimeType: 'text/markdown',
      sizeBytes: 10,
      lastModified: statSync(at('docs/a.md')).mtime.toISOString(),
    });
  });

  it('takes brackets, stars and braces in a path for what they are', async () => {
    put('report [v1] (final).txt', 'right');
    put('report v.txt', 'wrong');
    put('a*.txt', 'star');
    put('ab.txt', 'other');
    expect((await read('report [v1] (final).txt')).content).toBe('right');
    expect((await read('a*.txt')).content).toBe('star');
    expect((await glob('a*.txt')).files).toEqual([expect.objectContaining({ path: 'a*.txt', content: 'star' })]);
    expect((await glob('report [v1]*')).files).toEqual([expect.objectContaining({ path: 'report [v1] (final).txt' })]);
  });

  it(requirement('RF-06', 'understands UTF-16 by its mark, drops the mark of UTF-8, and says what a file is that is no text'), async () => {
    put('16.txt', Buffer.from('\ufeffgrüße', 'utf16le'));
    put('8.txt', '\ufeffa');
    put('l.txt', Buffer.from('caf\u00e9', 'latin1'));
    put('p.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]));
    put('nul.txt', 'a\0b');
    expect((await read('16.txt')).content).toBe('grüße');
    expect((await read('8.txt')).content).toBe('a');
    expect((await read('l.txt', { encoding: 'latin1' })).content).toBe('café');
    await expect(read('l.txt')).rejects.toMatchObject({ code: 'tool_failed', reason: 'not_text' });
    await expect(read('p.png')).rejects.toMatchObject({ reason: 'not_text', details: { found: 'a PNG image' } });
    await expect(read('nul.txt')).rejects.toMatchObject({ reason: 'not_text' });
  });

  it('refuses what is larger than asked for, without reading it', async () => {
    put('a.txt', 'x'.repeat(100));
    expect((await read('a.txt', { maxBytes: 100 })).content).toHaveLength(100);
    await expect(read('a.txt', { maxBytes: 99 })).rejects.toMatchObject({
      code: 'tool_failed',
      reason: 'too_large',
      details: { sizeBytes: 100 },
    });
    put('huge.txt', '');
    truncateSync(at('huge.txt'), 50_000_000_000);
    await expect(read('huge.txt')).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('gives lines, laid end to end the whole file', async () => {
    const text = fc.array(fc.constantFrom('a', 'ü', '\n', '\r\n', '😀'), { maxLength: 60 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (content, lineCount) => {
        put('lines.txt', content);
        const parts: string[] = [];
        for (let startLine = 1; startLine < 80; startLine += lineCount)
          parts.push((await read('lines.txt', { startLine, lineCount })).content);
        expect(parts.join('')).toBe(content);
      }),
      { numRuns: 30 },
    );
    put('lines.txt', 'one\ntwo\nthree');
    expect((await read('lines.txt', { startLine: 2, lineCount: 1 })).content).toBe('two\n');
    expect((await read('lines.txt', { startLine: 3 })).content).toBe('three');
    expect((await read('lines.txt', { startLine: 9 })).content).toBe('');
  });

  it('gives bytes, laid end to end the whole file with no character lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.integer({ min: 1, max: 6 }), async (content, byteCount) => {
        fc.pre(!content.includes('\0') && !content.startsWith('\ufeff'));
        put('bytes.txt', content);
        const parts: string[] = [];
        for (let startByte = 0; startByte < Buffer.byteLength(content); startByte += byteCount)
          parts.push((await read('bytes.txt', { startByte, byteCount })).content);
        expect(parts.join('')).toBe(content.toWellFormed());
      }),
      { numRuns: 50 },
    );
  });

  it('finds lines far inside a large file in bounded memory', async () => {
    put('big.txt', `${'x'.repeat(99)}\n`.repeat(400_000));
    const before = process.memoryUsage().rss;
    expect((await read('big.txt', { startLine: 399_999, lineCount: 1, maxBytes: 1_000 })).content).toBe(`${'x'.repeat(99)}\n`);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    await expect(read('big.txt', { startLine: 1, lineCount: 400_000, maxBytes: 1_000 })).rejects.toMatchObject({ reason: 'too_large' });
  });

  it('reports what is missing, a folder, and what the system forbids', async () => {
    mkdirSync(at('dir'));
    await expect(read('none.txt')).rejects.toMatchObject({ code: 'tool_failed', reason: 'missing' });
    await expect(read('dir')).rejects.toMatchObject({ code: 'tool_failed', reason: 'is_directory' });
  });

  it('never waits for a pipe and never opens a device', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    await expect(read('pipe')).rejects.toMatchObject(refusal);
    await expect(write('pipe', 'x')).rejects.toMatchObject(refusal);
    await expect(write('pipe', 'x', { append: true })).rejects.toMatchObject(refusal);
    await expect(files({ tier: 'full' }).read({ path: '/dev/zero', maxBytes: 10 }, call)).rejects.toMatchObject(refusal);
  });

  it('follows a link that stays inside and none that leaves', async () => {
    put('real/a.txt', 'A');
    symlinkSync('real', at('link'));
    symlinkSync(at('real/a.txt'), at('a-link'));
    writeFileSync(join(base, 'outside.txt'), 'no');
    symlinkSync('../outside.txt', at('out.txt'));
    symlinkSync('..', at('up'));
    expect((await read('link/a.txt')).content).toBe('A');
    expect((await read('a-link')).content).toBe('A');
    for (const path of ['out.txt', 'up/outside.txt', 'up/ws/../outside.txt']) await expect(read(path)).rejects.toMatchObject(refusal);
    await expect(write('up/new.txt', 'x')).rejects.toMatchObject(refusal);
    await expect(list('up')).rejects.toMatchObject(refusal);
    expect(readdirSync(base).sort()).toEqual(['outside.txt', 'ws']);
  });

  it(requirement('FA-03', 'refuses a spelling that is outside although a link leads back in'), async () => {
    put('a.txt', 'A');
    symlinkSync(workspace, join(base, 'alias'));
    await expect(read('../alias/a.txt')).rejects.toMatchObject(refusal);
    await expect(read(join(base, 'alias/a.txt'))).rejects.toMatchObject(refusal);
  });

  it(requirement('FA-27', 'refuses a file with a second name, but for packages of pnpm'), async () => {
    writeFileSync(join(base, 'secret'), 's');
    linkSync(join(base, 'secret'), at('hard'));
    await expect(read('hard')).rejects.toMatchObject(refusal);
    put('node_modules/.pnpm/x/a.js', 'A');
    linkSync(at('node_modules/.pnpm/x/a.js'), join(base, 'store'));
    expect((await read('node_modules/.pnpm/x/a.js')).content).toBe('A');
    await expect(write('hard', 'y', { append: true })).rejects.toMatchObject(refusal);
    await expect(write('node_modules/.pnpm/x/a.js', 'y', { append: true })).rejects.toMatchObject(refusal);
    expect([readFileSync(join(base, 'secret'), 'utf8'), readFileSync(join(base, 'store'), 'utf8')]).toEqual(['s', 'A']);
  });

  it('ends when the call is cancelled', async () => {
    put('a.txt', 'x');
    const controller = new AbortController();
    controller.abort();
    await expect(files().read({ path: 'a.txt', maxBytes: 10 }, { ...call, signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });
});

describe('reading by a glob', () => {
  it(requirements(['RF-02', 'FA-05'], 'gives files sorted by path and names what it passed over'), async () => {
    for (const path of ['src/b.ts', 'src/a.ts', 'src/deep/c.ts', 'src/x.js', 'src/.hidden.ts', 'src/.env']) put(path, path);
    put('src/bin.ts', Buffer.from([0xff, 0xfe, 0xfd]));
    symlinkSync('/etc/hostname', at('src/out.ts'));
    const found = await glob('src/**/*.ts');
    expect(found.files.map(({ path }) => path)).toEqual(['src/.hidden.ts', 'src/a.ts', 'src/b.ts', 'src/deep/c.ts']);
    expect(found.skipped).toEqual([
      { path: 'src/bin.ts', reason: 'not_text' },
      { path: 'src/out.ts', reason: 'path_denied' },
    ]);
    expect((await glob('src/*')).files.map(({ path }) => path)).not.toContain('src/.env');
    expect((await glob('**/c.ts')).files.map(({ path }) => path)).toEqual(['src/deep/c.ts']);
    expect((await glob('src/?.ts')).files).toHaveLength(2);
    expect((await glob('nothing/*').catch(({ reason }) => reason)) as unknown).toBe('missing');
  });

  it('reads through a link that stays inside', async () => {
    put('src/a.txt', 'A');
    symlinkSync('a.txt', at('src/b.txt'));
    expect((await glob('src/*.txt')).files.map(({ path, content }) => [path, content])).toEqual([
      ['src/a.txt', 'A'],
      ['src/b.txt', 'A'],
    ]);
  });

  it('enters no link, so a loop of links is no loop', async () => {
    put('box/a.txt');
    put('box/deep/b.txt');
    symlinkSync('..', at('box/deep/up'));
    expect((await glob('box/**')).files.map(({ path }) => path)).toEqual(['box/a.txt', 'box/deep/b.txt']);
  });
});

describe('listing a folder', () => {
  it(requirements(['LD-04', 'LD-06'], 'gives entries sorted by name, links as links'), async () => {
    put('box/a.txt', 'abc');
    put('box/deep/b.txt');
    symlinkSync('..', at('box/deep/up'));
    expect(await list('box', { recursive: true })).toEqual({
      entries: [
        { name: 'a.txt', type: 'file', sizeBytes: 3, lastModified: expect.any(String) },
        { name: 'deep', type: 'directory', sizeBytes: expect.any(Number), lastModified: expect.any(String) },
        { name: 'deep/b.txt', type: 'file', sizeBytes: 4, lastModified: expect.any(String) },
        { name: 'deep/up', type: 'symlink', sizeBytes: 2, lastModified: expect.any(String) },
      ],
    });
    expect(await namesIn('box')).toEqual(['a.txt', 'deep']);
    expect(await namesIn('box', { recursive: true, glob: '**/*.txt' })).toEqual(['a.txt', 'deep/b.txt']);
    expect(await namesIn('box', { recursive: true, glob: '*.txt' })).toEqual(['a.txt']);
  });

  it(requirement('FA-07', 'leaves out protected entries and does not look into them'), async () => {
    for (const path of ['.env', '.env.local', '.ssh/id', '.git/config', '.git/HEAD', '.relavium/runs.db', 'a.txt', '.npmrc']) put(path);
    expect(await namesIn('.', { recursive: true })).toEqual(['.git', '.git/HEAD', 'a.txt']);
    await expect(list('.ssh')).rejects.toMatchObject(refusal);
  });

  it('stops at the most entries and says so', async () => {
    for (let index = 0; index < 20; index++) put(`many/${String(index).padStart(2, '0')}`);
    expect(await namesIn('many', { maxEntries: 3 })).toEqual(['00', '01', '02']);
    expect(await list('many', { maxEntries: 3 })).toMatchObject({ truncated: true });
    expect(await list('many', { maxEntries: 20 })).not.toHaveProperty('truncated');
  });

  it('of something that is no folder, or is not there, fails', async () => {
    put('a.txt');
    await expect(list('a.txt')).rejects.toMatchObject({ code: 'tool_failed', reason: 'not_a_directory' });
    await expect(list('none')).rejects.toMatchObject({ code: 'tool_failed', reason: 'missing' });
  });
});

describe('writing a file', () => {
  it('replaces it at once, keeps its mode and leaves nothing behind', async () => {
    put('run.sh', 'old');
    chmodSync(at('run.sh'), 0o751);
    expect(await write('run.sh', 'grüße')).toEqual({ path: 'run.sh', bytesWritten: 7 });
    expect(readFileSync(at('run.sh'), 'utf8')).toBe('grüße');
    expect(statSync(at('run.sh')).mode & 0o777).toBe(0o751);
    expect(readdirSync(workspace)).toEqual(['run.sh']);
    await write('new.txt', '');
    expect(statSync(at('new.txt')).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it(requirement('WF-01', 'appends, and makes the file if it is not there'), async () => {
    await write('log.txt', 'one\n', { append: true });
    expect(await write('log.txt', 'two\n', { append: true })).toEqual({ path: 'log.txt', bytesWritten: 4 });
    expect(readFileSync(at('log.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  it(requirement('WF-02', 'makes missing folders only when it is told to'), async () => {
    await expect(write('a/b/c.txt', 'x')).rejects.toMatchObject({ code: 'tool_failed', reason: 'missing_parent' });
    expect(await write('a/b/c.txt', 'x', { createParents: true })).toEqual({ path: 'a/b/c.txt', bytesWritten: 1 });
    await expect(write('.git/x/y', 'x', { createParents: true })).rejects.toMatchObject(refusal);
    await expect(write('a/b/c.txt/d.txt', 'x', { createParents: true })).rejects.toMatchObject(refusal);
    await expect(write('a/', 'x')).rejects.toMatchObject(refusal);
    await expect(write('a', 'x')).rejects.toMatchObject({ code: 'tool_failed', reason: 'is_directory' });
  });

  it('goes through a link to the file that it names', async () => {
    put('real.txt', 'old');
    symlinkSync('real.txt', at('link.txt'));
    await write('link.txt', 'new');
    expect(readFileSync(at('real.txt'), 'utf8')).toBe('new');
  });

  it('cuts a second name off instead of writing through it', async () => {
    writeFileSync(join(base, 'other'), 'old');
    linkSync(join(base, 'other'), at('name'));
    await write('name', 'new');
    expect(readFileSync(join(base, 'other'), 'utf8')).toBe('old');
  });

  it.each([
    '.bashrc',
    'x/.zshenv',
    '.git/hooks/pre-commit',
    '.git',
    '.env.local',
    'home/.config/fish/conf.d/a.fish',
    'Documents/PowerShell/Microsoft.PowerShell_profile.ps1',
    '.relavium/runs/x',
    'sub/.git/config',
  ])('never reaches %s', async (path) => {
    await expect(write(path, 'x', { createParents: true })).rejects.toMatchObject(refusal);
    await expect(files({ tier: 'full' }).write({ path, content: 'x', append: false, createParents: true }, call)).rejects.toMatchObject(
      refusal,
    );
  });
});

describe('authority', () => {
  it(
    requirements(
      ['RF-05', 'LD-05', 'WF-03', 'FT-01', 'FT-02', 'FT-03', 'FT-09', 'FA-23', 'FA-24'],
      'of roots begins with the project tier and ends with the lower of two tiers',
    ),
    async () => {
      const root = join(base, 'root');
      mkdirSync(root);
      writeFileSync(join(root, 'a.txt'), 'A');
      const reading = (system: ReturnType<typeof files>, path: string) => system.read({ path, maxBytes: 10 }, call);
      await expect(reading(files({ extraRoots: [root] }), '../root/a.txt')).rejects.toMatchObject(refusal);
      const project = files({ extraRoots: [root], tier: 'project' });
      expect(await project.read({ path: join(root, 'a.txt'), maxBytes: 10 }, call)).toMatchObject({ content: 'A' });
      expect(await project.write({ path: join(root, 'b.txt'), content: '', append: false, createParents: false }, call)).toEqual({
        path: '../root/b.txt',
        bytesWritten: 0,
      });
      await expect(reading(project.within('sandboxed'), '../root/a.txt')).rejects.toMatchObject(refusal);
      await expect(reading(files().within('full'), '../root/a.txt')).rejects.toMatchObject(refusal);
      expect((await reading(files({ tier: 'full' }), '../root/a.txt')).content).toBe('A');
      const listing = (system: ReturnType<typeof files>) => system.list({ path: '../root', recursive: false, maxEntries: 9 }, call);
      await expect(listing(files({ extraRoots: [root] }))).rejects.toMatchObject(refusal);
      expect((await listing(project)).entries.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
    },
  );

  it(requirements(['FA-01', 'FA-02', 'FA-14'], 'ends when the folder that gave it is replaced'), async () => {
    put('a.txt', 'A');
    const system = files();
    renameSync(workspace, join(base, 'moved'));
    mkdirSync(workspace);
    put('a.txt', 'B');
    await expect(system.read({ path: 'a.txt', maxBytes: 10 }, call)).rejects.toMatchObject(refusal);
    rmSync(workspace, { recursive: true });
    symlinkSync(join(base, 'moved'), workspace);
    await expect(system.read({ path: 'a.txt', maxBytes: 10 }, call)).rejects.toMatchObject(refusal);
  });

  it(requirement('FT-05', 'is narrowed by a root of the author'), async () => {
    put('docs/a.txt', 'A');
    put('b.txt', 'B');
    symlinkSync('../b.txt', at('docs/link.txt'));
    expect((await read('a.txt', { root: 'docs' })).content).toBe('A');
    for (const path of ['../b.txt', 'link.txt', at('b.txt')]) await expect(read(path, { root: 'docs' })).rejects.toMatchObject(refusal);
    writeFileSync(join(base, 'c.txt'), 'C');
    for (const root of ['..', base, '/']) await expect(read('c.txt', { root })).rejects.toMatchObject(refusal);
  });

  it(requirements(['FT-06', 'FT-07'], 'of a chat is the workspace, and in the project tier the roots that it was given'), async () => {
    const root = join(base, 'root');
    mkdirSync(root);
    writeFileSync(join(root, 'a.txt'), 'A');
    writeFileSync(join(base, 'b.txt'), 'B');
    const chat = (tier: 'sandboxed' | 'project' | 'full') => files({ surface: 'chat', tier, extraRoots: [root] });
    const reading = (tier: 'sandboxed' | 'project' | 'full', path: string) => chat(tier).read({ path, maxBytes: 10 }, call);
    await expect(reading('sandboxed', '../root/a.txt')).rejects.toMatchObject(refusal);
    for (const tier of ['project', 'full'] as const) {
      expect((await reading(tier, '../root/a.txt')).content).toBe('A');
      await expect(reading(tier, '../b.txt')).rejects.toMatchObject(refusal);
    }
  });

  it(requirement('FA-12', 'of a root holds by each of its names: a root that is a link is the folder that it leads to'), async () => {
    const root = join(base, 'root');
    mkdirSync(root);
    writeFileSync(join(root, 'a.txt'), 'A');
    symlinkSync(root, join(base, 'link'));
    for (const given of [root, join(base, 'link')]) {
      const project = files({ extraRoots: [given], tier: 'project' });
      const reading = (path: string) => project.read({ path: join(base, path), maxBytes: 10 }, call);
      expect((await reading(given === root ? 'root/a.txt' : 'link/a.txt')).content).toBe('A');
      await expect(reading('other/a.txt')).rejects.toMatchObject(refusal);
    }
    expect(() => files({ extraRoots: [join(base, 'none')], tier: 'project' })).toThrow(TypeError);
  });

  it(requirements(['FA-09', 'FA-17'], 'of a root lifts no floor, and no path to another machine is looked at'), async () => {
    const root = join(base, 'root');
    mkdirSync(join(root, '.git/hooks'), { recursive: true });
    const project = files({ extraRoots: [root], tier: 'project' });
    for (const path of ['.git/hooks/pre-commit', '.bashrc', '.env'])
      await expect(
        project.write({ path: join(root, path), content: 'x', append: false, createParents: false }, call),
      ).rejects.toMatchObject(refusal);
    expect(readdirSync(join(root, '.git/hooks'))).toEqual([]);
    await expect(files({ tier: 'full' }).readGlob({ path: '\\\\server\\share\\*.txt', maxBytes: 10 }, call)).rejects.toMatchObject(refusal);
  });

  it(requirement('FT-04', 'cannot be made up'), () => {
    expect(() => createFileSystem({ kind: 'fs-path-policy' }).within('full')).toThrow(TypeError);
    expect(() => createFsPathPolicy({ workspaceDir: join(base, 'none') })).toThrow(TypeError);
  });
});

describe('saving an output', () => {
  it(requirement('AR-10', 'makes folders, and .relavium/runs is open to it alone'), async () => {
    const policy = policyOf();
    expect(await saveOutput(policy, 'out/a/report.md', 'x')).toEqual({ path: 'out/a/report.md', bytesWritten: 1 });
    expect(await saveOutput(policy, '.relavium/runs/r1/report.md', 'x')).toEqual({ path: '.relavium/runs/r1/report.md', bytesWritten: 1 });
    for (const path of [
      '.relavium/runs',
      '.relavium/config.toml',
      '.relavium/runs/../config.toml',
      '.relavium/runs/.ssh/x',
      at('a.md'),
      'x/.relavium/a',
    ]) {
      await expect(saveOutput(policy, path, 'x')).rejects.toMatchObject(refusal);
    }
  });

  it(requirement('AR-09', 'does not go to a root beside the workspace'), async () => {
    const root = join(base, 'root');
    mkdirSync(root);
    symlinkSync(root, at('link'));
    await expect(saveOutput(policyOf({ extraRoots: [root], tier: 'full' }), 'link/a.md', 'x')).rejects.toMatchObject(refusal);
  });
});
