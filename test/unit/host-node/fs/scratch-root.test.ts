import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileSystem } from '../../../../hosts/node/src/fs/file-system.js';
import { createFsPathPolicy, withScratch } from '../../../../hosts/node/src/fs/fs-path-policy.js';
import { issueHostScratchRoot } from '../../../../hosts/node/src/fs/scratch-root.js';
import { requirement, requirements } from '../../requirement.js';

let base: string;
const call = { node: 'test', attempt: 1, signal: new AbortController().signal };
const refusal = { code: 'tool_denied', reason: 'path_denied' };
const home = () => join(base, 'home');
const scratchDir = () => join(home(), '.relavium/scratch/s1');

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'scratch-')));
  mkdirSync(join(base, 'ws'));
  mkdirSync(scratchDir(), { recursive: true, mode: 0o700 });
  for (const folder of [join(home(), '.relavium'), join(home(), '.relavium/scratch')]) chmodSync(folder, 0o700);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const policyWithScratch = async () =>
  createFsPathPolicy({ workspaceDir: join(base, 'ws'), scratch: await issueHostScratchRoot({ homeDir: home(), rootDir: scratchDir() }) });
const writing = (system: ReturnType<typeof createFileSystem>, path: string) =>
  system.write({ path, content: 'x', append: false, createParents: false }, call);

describe('a scratch root', () => {
  it(
    requirements(
      ['SC-01', 'SC-02', 'SC-15', 'SC-16', 'SC-17', 'SC-18', 'SC-19', 'FT-10'],
      'opens its own subtree and nothing else of the state folder',
    ),
    async () => {
      const system = createFileSystem(await policyWithScratch());
      expect(await writing(system, join(scratchDir(), 'a.txt'))).toMatchObject({ bytesWritten: 1 });
      expect((await system.read({ path: join(scratchDir(), 'a.txt'), maxBytes: 10 }, call)).content).toBe('x');
      mkdirSync(join(home(), '.relavium/scratch/s10'), { mode: 0o700 });
      mkdirSync(join(base, 'ws/.relavium'));
      await expect(writing(system, '.relavium/a')).rejects.toMatchObject(refusal);
      for (const path of [
        '.relavium/config.toml',
        '.relavium/scratch/s10/a',
        '.relavium/scratch/a',
        '.relavium/scratch/s1/../a',
        '.relavium/scratch/s1/.relavium/a',
        '.relavium/scratch/s1/.env',
      ]) {
        await expect(writing(system, join(home(), path))).rejects.toMatchObject(refusal);
      }
    },
  );

  it(requirements(['SC-11', 'SC-13', 'SC-14'], 'is closed while others may enter it, and when it holds a link'), async () => {
    const system = createFileSystem(await policyWithScratch());
    mkdirSync(join(scratchDir(), 'sub'), { mode: 0o755 });
    await expect(writing(system, join(scratchDir(), 'sub/a.txt'))).rejects.toMatchObject(refusal);
    chmodSync(join(scratchDir(), 'sub'), 0o700);
    await writing(system, join(scratchDir(), 'sub/a.txt'));
    symlinkSync('sub', join(scratchDir(), 'link'));
    await expect(writing(system, join(scratchDir(), 'link/a.txt'))).rejects.toMatchObject(refusal);
    symlinkSync(join(base, 'ws'), join(scratchDir(), 'away'));
    writeFileSync(join(base, 'ws/b.txt'), 'B');
    await expect(system.read({ path: join(scratchDir(), 'away/b.txt'), maxBytes: 10 }, call)).rejects.toMatchObject(refusal);
    symlinkSync(scratchDir(), join(base, 'ws/into'));
    await expect(system.read({ path: 'into/sub/a.txt', maxBytes: 10 }, call)).rejects.toMatchObject(refusal);
    chmodSync(join(home(), '.relavium'), 0o755);
    await expect(writing(system, join(scratchDir(), 'c.txt'))).rejects.toMatchObject(refusal);
  });

  it(requirement('SC-12', 'is closed when its folder, or the one above, is another than the one that was issued'), async () => {
    const system = createFileSystem(await policyWithScratch());
    expect(await writing(system, join(scratchDir(), 'a.txt'))).toMatchObject({ bytesWritten: 1 });
    renameSync(scratchDir(), join(home(), 'moved'));
    mkdirSync(scratchDir(), { mode: 0o700 });
    await expect(writing(system, join(scratchDir(), 'b.txt'))).rejects.toMatchObject(refusal);
    rmSync(scratchDir(), { recursive: true });
    renameSync(join(home(), 'moved'), scratchDir());
    expect(await writing(system, join(scratchDir(), 'c.txt'))).toMatchObject({ bytesWritten: 1 });
    renameSync(join(home(), '.relavium'), join(home(), 'state'));
    mkdirSync(scratchDir(), { recursive: true, mode: 0o700 });
    await expect(writing(system, join(scratchDir(), 'd.txt'))).rejects.toMatchObject(refusal);
  });

  it('is not issued for a folder that is open to others, a link, or elsewhere', async () => {
    const issue = (rootDir: string) => issueHostScratchRoot({ homeDir: home(), rootDir });
    mkdirSync(join(home(), '.relavium/open'), { mode: 0o755 });
    symlinkSync(scratchDir(), join(home(), '.relavium/link'));
    for (const path of ['.relavium/open', '.relavium/link', '.relavium', '.', '.relavium/none'])
      await expect(issue(join(home(), path))).rejects.toThrow(TypeError);
  });

  it(
    requirements(
      ['SC-03', 'SC-04', 'SC-06', 'SC-07', 'SC-08'],
      'is given to a policy once: again is the same, another is refused, a made-up one is none',
    ),
    async () => {
      const scratch = await issueHostScratchRoot({ homeDir: home(), rootDir: scratchDir() });
      const policy = withScratch(createFsPathPolicy({ workspaceDir: join(base, 'ws') }), scratch);
      expect(withScratch(policy, scratch)).toBe(policy);
      const other = await issueHostScratchRoot({ homeDir: home(), rootDir: join(home(), '.relavium/scratch') });
      expect(() => withScratch(policy, other)).toThrow(TypeError);
      expect(() => createFsPathPolicy({ workspaceDir: join(base, 'ws'), scratch: { kind: 'scratch-root' } })).toThrow(TypeError);
      // What configuration or a tool's arguments can hold is JSON, and a descriptor does not survive it.
      const copied = JSON.parse(JSON.stringify(scratch));
      expect(() => withScratch(createFsPathPolicy({ workspaceDir: join(base, 'ws') }), copied)).toThrow(TypeError);
      expect(() => createFsPathPolicy({ workspaceDir: join(base, 'ws'), scratch: scratchDir() as never })).toThrow(TypeError);
    },
  );
});
