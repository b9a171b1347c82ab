import type { FileSystem } from '@relavium/engine';
import { createFileSystem } from '../fs/file-system.js';
import { type FsPathPolicy, withScratch } from '../fs/fs-path-policy.js';
import type { ScratchRoot } from '../fs/scratch-root.js';

/** The files of a run, and the policy that decides about them. */
export interface ToolEnv {
  readonly fsPolicy: FsPathPolicy;
  readonly fs: FileSystem;
}

export interface ToolEnvParts {
  readonly fsPolicy: FsPathPolicy;
  readonly scratch?: ScratchRoot;
  /** What tools may do in the scratch folder. Default: `write`. */
  readonly scratchAccess?: 'read' | 'write';
}

/**
 * Opens a scratch folder to a policy that is there already: workspace, further roots and tier stay as they were pinned. The same scratch
 * folder a second time changes nothing; another one, or one that the host did not issue, is a `TypeError`.
 */
export function assembleToolEnv({ fsPolicy, scratch, scratchAccess }: ToolEnvParts): ToolEnv {
  const composed = scratch === undefined ? fsPolicy : withScratch(fsPolicy, scratch, scratchAccess);
  return { fsPolicy: composed, fs: createFileSystem(composed) };
}
