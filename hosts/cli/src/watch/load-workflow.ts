import { resolve } from 'node:path';
import { builtinTools, type Compilation, type compileCache, type Plan, type SourceText } from '@relavium/engine';
import type { FileChange } from '@relavium/schemas';
import type { Cli } from '../cli.js';
import type { Problem } from '../problem.js';
import { findWorkflow } from '../project/find-workflow.js';
import type { Project } from '../project/open-project.js';
import { fileChangeTrigger } from './file-change-trigger.js';
import { notingReader } from './noting-reader.js';

/** A workflow as it is on the disk now. `asked`: absolute paths of the files that it depends on, whether they are there or not. */
export type LoadedWorkflow =
  | {
      readonly kind: 'ready';
      readonly plan: Plan;
      readonly source: SourceText;
      readonly sources: readonly SourceText[];
      readonly compiled: Compilation;
      readonly trigger: FileChange | undefined;
      readonly asked: readonly string[];
    }
  | { readonly kind: 'broken'; readonly compiled: Compilation; readonly asked: readonly string[] }
  | { readonly kind: 'missing'; readonly problem: Problem };

export interface LoadOptions {
  readonly project: Project;
  readonly named: string;
  /** The same files are not compiled twice. */
  readonly cache: ReturnType<typeof compileCache>;
}

export function loadWorkflow(cli: Cli, { project, named, cache }: LoadOptions): LoadedWorkflow {
  const reader = notingReader(project.reader, { root: project.root, cwd: cli.cwd });
  const source = findWorkflow(cli, { ...project, reader }, named);
  if (!source.ok) return { kind: 'missing', problem: source.problem };
  const compiled = cache.compile(source.value, { reader, tools: builtinTools });
  const { plan, sources } = compiled;
  const asked = [...new Set([resolve(cli.cwd, source.value.path), ...sources.map(({ path }) => resolve(cli.cwd, path)), ...reader.asked])];
  if (plan === undefined) return { kind: 'broken', compiled, asked };
  return { kind: 'ready', plan, compiled, source: source.value, sources, trigger: fileChangeTrigger(source.value), asked };
}
