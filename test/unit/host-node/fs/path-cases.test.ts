import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileSystem } from '../../../../hosts/node/src/fs/file-system.js';
import { createFsPathPolicy } from '../../../../hosts/node/src/fs/fs-path-policy.js';
import { checkSavePath } from '../../../../hosts/node/src/fs/save-output.js';
import { issueHostScratchRoot } from '../../../../hosts/node/src/fs/scratch-root.js';
import { simulatedWindows, type TreeEntry } from './simulated-windows.js';

interface Case {
  readonly id: string;
  readonly input: string;
  readonly expect:
    | 'allow'
    | 'deny'
    | { readonly no_hang?: true; readonly must_list?: readonly string[]; readonly must_not_list?: readonly string[] };
  readonly why: string;
  readonly context: {
    readonly platform: 'posix' | 'win32' | 'any';
    readonly op?: 'read' | 'write' | 'list' | 'glob';
    readonly workspace: string;
    readonly home?: string;
    readonly tier?: 'sandboxed' | 'project' | 'full';
    readonly surface?: 'chat' | 'workflow';
    readonly roots?: readonly string[];
    readonly scratch?: string;
    readonly tree?: readonly { readonly path: string; readonly type: string; readonly target?: string; readonly short?: string }[];
  };
}

const casesOf = (area: string) =>
  readFileSync(new URL(`../../../cases/security/${area}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case);
const call = { node: 'test', attempt: 1, signal: new AbortController().signal };

let base: string;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'paths-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('every fs_paths case', () => {
  it.each(casesOf('fs_paths').map((one) => [one.id, one.why, one] as const))('%s: %s', async (_id, _why, one) => {
    const decision = one.context.platform === 'win32' ? await onWindows(one) : await onDisk(one);
    if (typeof one.expect === 'string') expect(decision.allowed ? 'allow' : 'deny', JSON.stringify(decision)).toBe(one.expect);
    else expect(decision.listed.filter((path) => (one.expect as { must_not_list?: string[] }).must_not_list?.includes(path))).toEqual([]);
  });
});

describe('every save_to case', () => {
  const cases = casesOf('save_to').filter(({ context }) => context.platform !== 'win32');
  it.each(cases.map((one) => [one.id, one.why, one] as const))('%s: %s', async (_id, _why, one) => {
    const root = laidOut(one);
    const policy = createFsPathPolicy({ workspaceDir: join(root, one.context.workspace) });
    const input = one.input.startsWith('/') ? root + one.input : one.input;
    expect(await decisionOf(checkSavePath(policy, input))).toMatchObject({ allowed: one.expect === 'allow' });
  });

  const onEach = casesOf('save_to').filter(({ context }) => context.platform !== 'posix');
  it.each(onEach.map((one) => [one.id, one.why, one] as const))('%s on Windows: %s', async (_id, _why, one) => {
    const policy = createFsPathPolicy({
      workspaceDir: 'C:\\srv\\ws',
      operations: simulatedWindows([{ path: 'C:\\srv\\ws', type: 'dir' }]),
    });
    expect(await decisionOf(checkSavePath(policy, one.input))).toMatchObject({ allowed: one.expect === 'allow' });
  });
});

interface Decision {
  readonly allowed: boolean;
  readonly listed: readonly string[];
  readonly reason?: string;
}

async function decisionOf(answer: Promise<unknown>): Promise<Decision> {
  try {
    await answer;
    return { allowed: true, listed: [] };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code !== 'tool_denied') throw error;
    return { allowed: false, listed: [], reason: message };
  }
}

async function onWindows({ input, context }: Case): Promise<Decision> {
  const { workspace, tier = 'sandboxed', surface = 'chat', roots = [], tree = [], op = 'read' } = context;
  const folders = [workspace, context.home!, ...roots].map((path) => ({ path, type: 'dir' }) as const);
  const operations = simulatedWindows([...folders, ...(tree as readonly TreeEntry[])]);
  const policy = createFsPathPolicy({ workspaceDir: workspace, extraRoots: roots, tier, surface, operations });
  return decisionOf(createFileSystem(policy).check(op, input));
}

async function onDisk(one: Case): Promise<Decision> {
  const { input, context } = one;
  const root = laidOut(one);
  const { workspace, tier = 'sandboxed', surface = 'chat', roots = [], op = 'read', scratch, home } = context;
  const descriptor =
    scratch === undefined ? undefined : await issueHostScratchRoot({ homeDir: join(root, home!), rootDir: join(root, scratch) });
  const policy = createFsPathPolicy({
    workspaceDir: join(root, workspace),
    extraRoots: roots.map((path) => join(root, path)),
    tier,
    surface,
    ...(descriptor === undefined ? {} : { scratch: descriptor }),
  });
  const files = createFileSystem(policy);
  const path = input.startsWith('/') ? root + input : input;
  const decision = await decisionOf(files.check(op, path));
  if (op !== 'glob' || !decision.allowed) return decision;
  const { files: found } = await files.readGlob({ path, maxBytes: 1_000 }, call).catch(() => ({ files: [] }));
  return { ...decision, listed: found.map((file) => file.path) };
}

/** A folder that stands for `/`. */
function laidOut({ id, context }: Case): string {
  const { workspace, home = '/home/u', roots = [], scratch, tree = [] } = context;
  const root = join(base, id);
  for (const path of [workspace, home, ...roots, '/tmp', ...(scratch === undefined ? [] : [scratch])]) {
    mkdirSync(join(root, path), { recursive: true, mode: 0o700 });
  }
  for (const { path, type, target } of [...tree].sort(
    (one, other) => Number(one.type === 'hardlink') - Number(other.type === 'hardlink'),
  )) {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    const to = target?.startsWith('/') === true ? root + target : target;
    if (type === 'dir') mkdirSync(at, { recursive: true });
    else if (type === 'file') writeFileSync(at, 'text');
    else if (type === 'symlink') symlinkSync(to!, at);
    else if (type === 'fifo') execFileSync('mkfifo', [at]);
    else {
      mkdirSync(dirname(to!), { recursive: true });
      writeFileSync(to!, 'text');
      linkSync(to!, at);
    }
  }
  return root;
}
