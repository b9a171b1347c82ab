import { homedir } from 'node:os';
import type { Cancel, Clock, ExpressionVm, FileScope, SourceReader, ToolHost } from '@relavium/engine';
import { nodeClock } from './clock/node-clock.js';
import { createExpressionVm } from './expression-vm/create-expression-vm.js';
import { createFileSystem } from './fs/file-system.js';
import { createFsPathPolicy, type FsPathPolicy } from './fs/fs-path-policy.js';
import { createGit } from './git/create-git.js';
import { nodeIds } from './ids/node-ids.js';
import type { Variables } from './process/base-environment.js';
import { createProcessHost } from './process/process-host.js';
import { createRunScratch, type RunScratch } from './scratch/run-scratch.js';
import { environmentSecrets } from './secrets/environment-secrets.js';
import { createSourceReader } from './source/source-reader.js';

export interface NodeHostOptions {
  /** The project; absolute. */
  readonly workspace: string;
  /** What this invocation grants; a workflow may ask for less. Default `sandboxed`. */
  readonly tier?: FileScope;
  /** Folders that this invocation grants beside the workspace; absolute. */
  readonly roots?: readonly string[];
  /** Where source paths are relative to. Default: the workspace. */
  readonly cwd?: string;
  /** Of these variables programs get the few that are harmless, and secrets are read from some. Default: those of this process. */
  readonly environment?: Variables;
  /** Where the state folder is. Default: the home folder of this person. */
  readonly homeDir?: string;
}

/** What this machine gives to a run. */
export interface NodeHost {
  readonly tools: ToolHost;
  readonly paths: FsPathPolicy;
  readonly clock: Clock;
  readonly vm: ExpressionVm;
  readonly reader: SourceReader;
  /** A scratch folder for one run; its `fs` takes the place of the one in `tools`. */
  newScratch(): RunScratch;
  newRunId(): string;
  newCancel(): Cancel;
}

/** Throws a `TypeError` where the workspace or a root is no folder. */
export function createNodeHost({
  workspace,
  tier = 'sandboxed',
  roots = [],
  cwd = workspace,
  environment = process.env,
  homeDir = homedir(),
}: NodeHostOptions): NodeHost {
  const paths = createFsPathPolicy({ workspaceDir: workspace, extraRoots: roots, tier });
  const ids = nodeIds();
  const programs = createProcessHost({ workspace, environment });
  return {
    tools: {
      fs: createFileSystem(paths),
      process: programs,
      git: createGit(programs),
      secrets: environmentSecrets(environment),
    },
    paths,
    clock: nodeClock(),
    vm: createExpressionVm(),
    reader: createSourceReader({ root: workspace, cwd }),
    newScratch: () => createRunScratch({ homeDir, fsPolicy: paths }),
    newRunId: ids.runId,
    newCancel() {
      const controller = new AbortController();
      return { signal: controller.signal, cancel: () => controller.abort() };
    },
  };
}
