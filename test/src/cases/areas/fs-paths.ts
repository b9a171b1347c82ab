import { join } from 'node:path';
import { createFileSystem, createFsPathPolicy, issueHostScratchRoot } from '@relavium/host-node';
import { decisionOf, type PathContext, type PathDecision, withTree } from '../../shared/path-case.js';
import { simulatedWindows, type TreeEntry } from '../../shared/simulated-windows.js';
import { type Case, type Judge, show, verdict } from '../case.js';

/** The file capability's own answer, on a real tree; cases of Windows on a disk that is a list of entries. */
export const judge: Judge = async (testCase) => {
  const { platform } = testCase.context as unknown as PathContext;
  const decision = platform === 'win32' ? await onWindows(testCase) : await onDisk(testCase);
  const { expect } = testCase;
  if (expect === 'allow' || expect === 'deny') return verdict(decision.allowed === (expect === 'allow'), expect, decision);
  const { must_list: wanted = [], must_not_list: unwanted = [] } = expect as Lists;
  const isMet = !decision.listed.some((path) => unwanted.includes(path)) && wanted.every((path) => decision.listed.includes(path));
  return verdict(isMet, show(expect), decision);
};

interface Lists {
  readonly must_list?: readonly string[];
  readonly must_not_list?: readonly string[];
}

async function onWindows({ input, context }: Case): Promise<PathDecision> {
  const { workspace, home, tier = 'sandboxed', surface = 'chat', roots = [], tree = [], op = 'read' } = context as unknown as PathContext;
  const folders = [workspace, ...(home === undefined ? [] : [home]), ...roots].map((path) => ({ path, type: 'dir' }) as const);
  const operations = simulatedWindows([...folders, ...(tree as readonly TreeEntry[])]);
  const policy = createFsPathPolicy({ workspaceDir: workspace, extraRoots: roots, tier, surface, operations });
  return decisionOf(createFileSystem(policy).check(op, String(input)));
}

function onDisk(testCase: Case): Promise<PathDecision> {
  return withTree(testCase, async (root) => {
    const {
      workspace,
      tier = 'sandboxed',
      surface = 'chat',
      roots = [],
      op = 'read',
      scratch,
      home,
    } = testCase.context as unknown as PathContext;
    const issued =
      scratch === undefined
        ? undefined
        : await issueHostScratchRoot({ homeDir: join(root, home ?? '/home/u'), rootDir: join(root, scratch) });
    const policy = createFsPathPolicy({
      workspaceDir: join(root, workspace),
      extraRoots: roots.map((path) => join(root, path)),
      tier,
      surface,
      ...(issued === undefined ? {} : { scratch: issued }),
    });
    const files = createFileSystem(policy);
    const input = String(testCase.input);
    const path = input.startsWith('/') ? root + input : input;
    const decision = await decisionOf(files.check(op, path));
    if (!decision.allowed || (op !== 'glob' && op !== 'list')) return decision;
    return { ...decision, listed: await namesFound(files, op, path) };
  });
}

const call = { node: 'case', attempt: 1, signal: new AbortController().signal };

async function namesFound(files: ReturnType<typeof createFileSystem>, op: 'glob' | 'list', path: string): Promise<readonly string[]> {
  if (op === 'glob') {
    const { files: found } = await files.readGlob({ path, maxBytes: 1_000 }, call).catch(() => ({ files: [] }));
    return found.map((file) => file.path);
  }
  const { entries } = await files.list({ path, recursive: true, maxEntries: 1_000 }, call).catch(() => ({ entries: [] }));
  return entries.map((entry) => entry.name);
}
