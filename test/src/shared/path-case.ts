import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Case } from '../cases/case.js';

/** What a case about paths needs besides. Its absolute paths are symbolic: a temporary folder stands for `/`. */
export interface PathContext {
  readonly platform: 'posix' | 'win32' | 'any';
  readonly op?: 'read' | 'write' | 'list' | 'glob';
  readonly workspace: string;
  readonly home?: string;
  readonly tier?: 'sandboxed' | 'project' | 'full';
  readonly surface?: 'chat' | 'workflow';
  readonly roots?: readonly string[];
  readonly scratch?: string;
  readonly tree?: readonly { readonly path: string; readonly type: string; readonly target?: string; readonly short?: string }[];
}

export interface PathDecision {
  readonly allowed: boolean;
  readonly listed: readonly string[];
  readonly reason?: string;
}

/** An answer of the file system, or its refusal. Anything else that is thrown is a failure of the case. */
export async function decisionOf(answer: Promise<unknown>): Promise<PathDecision> {
  try {
    await answer;
    return { allowed: true, listed: [] };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code !== 'tool_denied') throw error;
    return { allowed: false, listed: [], reason: message };
  }
}

/** Lays the tree of a case out on disk for as long as `use` takes. */
export async function withTree<T>({ context }: Case, use: (root: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'path-case-'));
  try {
    layOut(root, context as unknown as PathContext);
    return await use(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function layOut(root: string, { workspace, home = '/home/u', roots = [], scratch, tree = [] }: PathContext): void {
  for (const path of [workspace, home, ...roots, '/tmp', ...(scratch === undefined ? [] : [scratch])]) {
    mkdirSync(join(root, path), { recursive: true, mode: 0o700 });
  }
  // What a hard link leads to has to be there first.
  for (const entry of [...tree].sort((one, other) => Number(one.type === 'hardlink') - Number(other.type === 'hardlink'))) {
    const at = join(root, entry.path);
    mkdirSync(dirname(at), { recursive: true });
    const target = entry.target?.startsWith('/') === true ? root + entry.target : entry.target;
    if (entry.type === 'dir') mkdirSync(at, { recursive: true });
    else if (entry.type === 'file') writeFileSync(at, 'text');
    else if (entry.type === 'symlink') symlinkSync(target!, at);
    else if (entry.type === 'fifo') execFileSync('mkfifo', [at]);
    else {
      mkdirSync(dirname(target!), { recursive: true });
      writeFileSync(target!, 'text');
      linkSync(target!, at);
    }
  }
}
