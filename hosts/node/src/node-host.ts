import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cancel, Clock, ExpressionVm, FileScope, KnownSecrets, Models, SourceReader, ToolHost } from '@relavium/engine';
import { nodeClock } from './clock/node-clock.js';
import { createEgress, type NodeEgress } from './egress/create-egress.js';
import { createExpressionVm } from './expression-vm/create-expression-vm.js';
import { createFileSystem } from './fs/file-system.js';
import { createFsPathPolicy, type FsPathPolicy, withKept } from './fs/fs-path-policy.js';
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

/** What an invocation grants to agents. */
export interface ModelGrants {
  /** Origins that may be reached although they are neither https nor public. */
  readonly allowLocal: readonly string[];
  /** `PROVIDER:MODEL` for every agent. */
  readonly override?: string;
  /** Of agents that name none. */
  readonly defaultProvider?: string;
}

/** What this machine gives to a run. */
export interface NodeHost {
  readonly tools: ToolHost;
  readonly paths: FsPathPolicy;
  readonly clock: Clock;
  readonly vm: ExpressionVm;
  readonly reader: SourceReader;
  /** The files of one run: its `fs` takes the place of the one in `tools`, and writes none of the sources that the run was made from. */
  newScratch(sources: readonly string[]): RunScratch;
  /** The models of one run. Their keys become secrets of the run. */
  newModels(grants: ModelGrants, secrets: KnownSecrets): Models;
  newRunId(): string;
  newCancel(): Cancel;
}

/** Where this program lies, which may be in the workspace: what a tool wrote there would run with all that the program may do. */
const PROGRAM: readonly string[] = ['.', '../bin'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** Throws a `TypeError` where the workspace or a root is no folder. */
export function createNodeHost({
  workspace,
  tier = 'sandboxed',
  roots = [],
  cwd = workspace,
  environment = process.env,
  homeDir = homedir(),
}: NodeHostOptions): NodeHost {
  const paths = withKept(createFsPathPolicy({ workspaceDir: workspace, extraRoots: roots, tier }), PROGRAM);
  const ids = nodeIds();
  const programs = createProcessHost({ workspace, environment });
  const secrets = environmentSecrets(environment);
  const clock = nodeClock();
  const reader = createSourceReader({ root: workspace, cwd });
  /** Connections are kept from one run to the next. */
  const ways = new Map<string, NodeEgress>();
  const wayOut = (allowLocal: readonly string[]): NodeEgress => {
    const key = allowLocal.join(' ');
    const way = ways.get(key) ?? createEgress({ allowLocal, redirects: 'same_origin' });
    ways.set(key, way);
    return way;
  };
  return {
    tools: {
      fs: createFileSystem(paths),
      process: programs,
      git: createGit(programs),
      secrets,
    },
    paths,
    clock,
    vm: createExpressionVm(),
    reader,
    newScratch: (sources) =>
      createRunScratch({
        homeDir,
        fsPolicy: withKept(
          paths,
          sources.map((path) => resolve(cwd, path)),
        ),
      }),
    newModels({ allowLocal, override, defaultProvider }, known) {
      // Most runs have no agent.
      const models = lazily(async () => {
        const { createModels } = await import('./models/models.js');
        return createModels({
          secrets: { ...secrets, read: async (id) => noted(await secrets.read(id), known) },
          egress: wayOut(allowLocal),
          clock,
          reader,
          workspace,
          cwd,
          ...(override === undefined ? {} : { override }),
          ...(defaultProvider === undefined ? {} : { defaultProvider }),
        });
      });
      return { open: async (reference) => (await models()).open(reference) };
    },
    newRunId: ids.runId,
    newCancel() {
      const controller = new AbortController();
      return { signal: controller.signal, cancel: () => controller.abort() };
    },
  };
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function noted(value: string | undefined, known: KnownSecrets): string | undefined {
  if (value !== undefined) known.add(value);
  return value;
}
