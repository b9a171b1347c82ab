import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRegistry } from '../../../../engine/src/registry/create-registry.js';
import { builtinTools } from '../../../../engine/src/tools/builtin-tools.js';
import { createFsPathPolicy } from '../../../../hosts/node/src/fs/fs-path-policy.js';
import { issueHostScratchRoot } from '../../../../hosts/node/src/fs/scratch-root.js';
import { assembleToolEnv } from '../../../../hosts/node/src/scratch/assemble-tool-env.js';
import { createRunScratch } from '../../../../hosts/node/src/scratch/run-scratch.js';
import { findLeftovers, makeScratchFolder } from '../../../../hosts/node/src/scratch/scratch-folder.js';
import { callOf } from '../../engine/registry/call-of.js';
import { requirement, requirements } from '../../requirement.js';

let base: string;
const home = () => join(base, 'home');
const parent = () => join(home(), '.relavium/scratch');
const call = { node: 'each[2].read', attempt: 1, signal: new AbortController().signal };
const policy = { allowedCommands: [], allowedCommandGlobs: [], allowedDomains: [], fsScope: 'sandboxed' } as const;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'run-scratch-')));
  mkdirSync(join(base, 'ws'));
  mkdirSync(home());
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const fsPolicy = () => createFsPathPolicy({ workspaceDir: join(base, 'ws') });
const scratchOfRun = () => createRunScratch({ homeDir: home(), fsPolicy: fsPolicy() });
const denied = { code: 'tool_denied', reason: 'path_denied' };

describe('the scratch folder of a run', () => {
  it(requirements(['RB-07', 'RB-08'], 'is made on the first spill, for its owner alone, and is gone when the run ends'), async () => {
    const scratch = scratchOfRun();
    expect(existsSync(join(home(), '.relavium'))).toBe(false);
    const path = (await scratch.spill.keep('text', call))!;
    for (const folder of ['.relavium', '.relavium/scratch']) expect(statSync(join(home(), folder)).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(path).toContain('each-2-read-1.txt');
    scratch.reclaim();
    expect(readdirSync(parent())).toEqual([]);
    expect(await scratch.spill.keep('text', call)).toBeUndefined();
  });

  it(
    requirement('RB-14', 'holds what a model was not handed whole, and the model reads it by range under the policy of the run'),
    async () => {
      writeFileSync(join(base, 'ws/long.txt'), Array.from({ length: 5_000 }, (_, line) => `line ${line} ${'x'.repeat(40)}\n`).join(''));
      const scratch = scratchOfRun();
      const registry = createRegistry({ tools: builtinTools, host: { fs: scratch.fs }, policy, spill: scratch.spill });
      const read = (modelArgs: Record<string, string | number>) => registry.dispatch(callOf('read_file', { caller: 'agent', modelArgs }));
      const whole = await read({ path: 'long.txt' });
      if (!whole.ok) throw new Error(whole.error.message);
      const path = /read_file has the whole in (\S+)\]/.exec(whole.modelCopy!)![1]!;
      const part = await read({ path, start_byte: 100_000, byte_count: 200 });
      expect(part).toMatchObject({ ok: true, output: { content: expect.stringMatching(/line \d+ x/) } });
      expect(await read({ path, start_line: 3, line_count: 1 })).toMatchObject({
        ok: true,
        output: { content: expect.stringMatching(/^line \d+ x+\n?$/) },
      });
      // A part that is too large again names the file that it comes from, and is not kept a second time.
      const large = await read({ path, start_byte: 0, byte_count: 150_000 });
      expect(large).toMatchObject({ ok: true, modelCopy: expect.stringContaining(`in ${path}]`) });
      expect(readdirSync(join(path, '..'))).toHaveLength(1);
      scratch.reclaim();
      expect(await read({ path, start_byte: 0 })).toMatchObject({ ok: false });
    },
  );

  it('is read in a workspace that holds the home folder too', async () => {
    const scratch = createRunScratch({ homeDir: home(), fsPolicy: createFsPathPolicy({ workspaceDir: base }) });
    const path = (await scratch.spill.keep('text', call))!;
    expect((await scratch.fs.read({ path, maxBytes: 100 }, call)).content).toBe('text');
    await expect(scratch.fs.write({ path, content: 'x', append: false, createParents: false }, call)).rejects.toMatchObject(denied);
    await expect(scratch.fs.read({ path: join(home(), '.relavium/other'), maxBytes: 100 }, call)).rejects.toMatchObject(denied);
  });

  it('opens nothing beside itself, and no link in it leads out', async () => {
    const scratch = scratchOfRun();
    const other = scratchOfRun();
    const path = (await scratch.spill.keep('mine', call))!;
    const others = (await other.spill.keep('theirs', call))!;
    expect((await scratch.fs.read({ path, maxBytes: 100 }, call)).content).toBe('mine');
    writeFileSync(join(home(), '.relavium/config.toml'), 'x');
    symlinkSync(join(home(), '.relavium/config.toml'), join(path, '../link.txt'));
    for (const refused of [others, join(path, '../link.txt'), join(home(), '.relavium/config.toml')])
      await expect(scratch.fs.read({ path: refused, maxBytes: 100 }, call)).rejects.toMatchObject(denied);
    scratch.reclaim();
    other.reclaim();
    expect(existsSync(join(home(), '.relavium/config.toml'))).toBe(true);
  });

  it('closes a state folder that others could enter', async () => {
    mkdirSync(join(home(), '.relavium'), { mode: 0o755 });
    chmodSync(join(home(), '.relavium'), 0o755);
    const scratch = scratchOfRun();
    const path = (await scratch.spill.keep('text', call))!;
    expect((await scratch.fs.read({ path, maxBytes: 100 }, call)).content).toBe('text');
    expect(statSync(join(home(), '.relavium')).mode & 0o777).toBe(0o700);
    scratch.reclaim();
  });

  it('costs the call nothing where it cannot be made', async () => {
    writeFileSync(join(home(), '.relavium'), 'a file in the way');
    expect(await scratchOfRun().spill.keep('text', call)).toBeUndefined();
  });
});

describe('assembleToolEnv', () => {
  const issued = async () => issueHostScratchRoot({ homeDir: home(), rootDir: makeScratchFolder(home()) });

  it('opens a scratch folder to a policy, and the same one again changes nothing', async () => {
    const scratch = await issued();
    const first = assembleToolEnv({ fsPolicy: fsPolicy(), scratch });
    expect(assembleToolEnv({ fsPolicy: first.fsPolicy, scratch }).fsPolicy).toBe(first.fsPolicy);
    expect(assembleToolEnv({ fsPolicy: first.fsPolicy }).fsPolicy).toBe(first.fsPolicy);
  });

  it('refuses another one, and one that the host did not issue', async () => {
    const { fsPolicy: composed } = assembleToolEnv({ fsPolicy: fsPolicy(), scratch: await issued() });
    const another = await issued();
    expect(() => assembleToolEnv({ fsPolicy: composed, scratch: another })).toThrow(TypeError);
    expect(() => assembleToolEnv({ fsPolicy: fsPolicy(), scratch: { kind: 'scratch-root' } })).toThrow(TypeError);
    expect(() => assembleToolEnv({ fsPolicy: { kind: 'fs-path-policy' } })).toThrow(TypeError);
  });

  it(requirement('SC-09', 'takes its roots from the policy, and from no text that is handed in beside it'), async () => {
    mkdirSync(join(base, 'beside'));
    writeFileSync(join(base, 'beside/a.txt'), 'x');
    const parts = { fsPolicy: fsPolicy(), extraRoots: [join(base, 'beside')], scratch: await issued() };
    const { fs } = assembleToolEnv(parts);
    await expect(fs.read({ path: join(base, 'beside/a.txt'), maxBytes: 100 }, call)).rejects.toMatchObject(denied);
  });

  it(requirement('SC-05', 'keeps the workspace as it was pinned when the policy was made'), async () => {
    const pinned = fsPolicy();
    rmSync(join(base, 'ws'), { recursive: true });
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), join(base, 'ws'));
    const { fs } = assembleToolEnv({ fsPolicy: pinned, scratch: await issued() });
    await expect(fs.write({ path: 'a.txt', content: 'x', append: false, createParents: false }, call)).rejects.toMatchObject(denied);
  });
});

describe('leftovers', () => {
  it('are folders of processes that are gone; those of running ones and everything else stays', () => {
    const mine = makeScratchFolder(home());
    const { pid } = spawnSync('true');
    mkdirSync(join(parent(), `${pid}-123-0123456789ab`));
    // The number has been given out again.
    mkdirSync(join(parent(), `${process.pid}-1-0123456789ab`));
    mkdirSync(join(parent(), 'something-else'));
    symlinkSync(join(base, 'ws'), join(parent(), `${pid}-5-0123456789ab`));
    const { abandoned, inUse } = findLeftovers(home());
    expect(inUse).toBe(1);
    expect(abandoned).not.toContain(mine);
    const expected = [`${pid}-123-0123456789ab`, ...(process.platform === 'linux' ? [`${process.pid}-1-0123456789ab`] : [])];
    expect([...abandoned].sort()).toEqual(expected.map((name) => join(parent(), name)).sort());
  });

  it('are none where there is no state folder', () => {
    expect(findLeftovers(join(base, 'nobody'))).toEqual({ abandoned: [], inUse: 0 });
  });
});
