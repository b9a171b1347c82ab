import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallContext, FileSystem, Spill } from '@relavium/engine';
import type { FsPathPolicy } from '../fs/fs-path-policy.js';
import { saveOutput } from '../fs/save-output.js';
import { issueHostScratchRoot } from '../fs/scratch-root.js';
import { assembleToolEnv } from './assemble-tool-env.js';
import { makeScratchFolder, removeScratchFolder } from './scratch-folder.js';

/** Where one run keeps results that are too large for a model's copy. Nothing is made before the first of them. */
export interface RunScratch {
  readonly spill: Spill;
  /** The files of the run: what was spilled can be read by its path, as a whole or in part. */
  readonly fs: FileSystem;
  /** Keeps an output in the workspace, under the same policy. */
  save(path: string, text: string): Promise<void>;
  /** Removes all of it. Afterwards nothing is spilled any more. */
  reclaim(): void;
}

export interface RunScratchOptions {
  readonly homeDir: string;
  readonly fsPolicy: FsPathPolicy;
}

export function createRunScratch({ homeDir, fsPolicy }: RunScratchOptions): RunScratch {
  let { fs } = assembleToolEnv({ fsPolicy });
  let opening: Promise<string> | undefined;
  let root: { readonly folder: string; readonly ino: number } | undefined;
  let isReclaimed = false;
  let count = 0;

  const open = async (): Promise<string> => {
    const folder = makeScratchFolder(homeDir);
    root = { folder, ino: lstatSync(folder).ino };
    // A second signal ends this process without waiting for the end of the run.
    process.once('exit', reclaim);
    const scratch = await issueHostScratchRoot({ homeDir, rootDir: folder });
    // What was kept for one agent is not for another one to change.
    ({ fs } = assembleToolEnv({ fsPolicy, scratch, scratchAccess: 'read' }));
    return folder;
  };
  const reclaim = () => {
    isReclaimed = true;
    process.removeListener('exit', reclaim);
    // Another folder of that name is not the one that was made here.
    if (root !== undefined && lstatSync(root.folder, { throwIfNoEntry: false })?.ino === root.ino) removeScratchFolder(root.folder);
    root = undefined;
  };

  return {
    spill: {
      async keep(text: string, { node }: CallContext): Promise<string | undefined> {
        try {
          if (isReclaimed) return undefined;
          opening ??= open();
          const path = join(await opening, `${node.replace(/[^A-Za-z0-9_-]+/gu, '-').slice(0, 60)}-${++count}.txt`);
          writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
          return path;
        } catch {
          // A full disk or a home that cannot be written to costs the model the whole text, and the call nothing.
          return undefined;
        }
      },
      holds: (path) => root !== undefined && path.startsWith(join(root.folder, '/')),
    },
    fs: following(() => fs),
    save: async (path, text) => void (await saveOutput(fsPolicy, path, text)),
    reclaim,
  };
}

/** The files as they are at each call: the scratch folder comes to them later. */
function following(current: () => FileSystem): FileSystem {
  return {
    within: (scope) => following(() => current().within(scope)),
    read: (request, call) => current().read(request, call),
    readGlob: (request, call) => current().readGlob(request, call),
    write: (request, call) => current().write(request, call),
    list: (request, call) => current().list(request, call),
    check: (operation, path, root) => current().check(operation, path, root),
  };
}
