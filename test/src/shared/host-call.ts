import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallContext } from '@relavium/engine';

/** A call of a host capability that nobody cancels. */
export function callOf(): CallContext {
  return { node: 'bench', attempt: 1, signal: new AbortController().signal };
}

export async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
