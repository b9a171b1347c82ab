import type { WriteResult } from '@relavium/engine';
import { admitPath, type FsPathPolicy } from './fs-path-policy.js';
import { writeText } from './write-text.js';

/** Writes what an output node saves: a relative path of the workspace, folders made as needed, `.relavium/runs` open. Throws `HostError`. */
export async function saveOutput(policy: FsPathPolicy, path: string, content: string): Promise<WriteResult> {
  return writeText(await admitPath(policy, 'save', path), { path, content, append: false, createParents: true });
}

/** The policy's answer alone. */
export async function checkSavePath(policy: FsPathPolicy, path: string): Promise<void> {
  await admitPath(policy, 'save', path);
}
