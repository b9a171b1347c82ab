import type { Diagnostic } from './diagnostics/diagnostic.js';
import { ordered } from './diagnostics/order.js';
import { type Files, newFiles } from './link/files.js';
import { type Linked, link } from './link/link.js';
import { lintAgent } from './link/lint-agent.js';
import { buildPlan } from './plan/build-plan.js';
import type { Plan } from './plan/plan.js';
import type { SourceReader } from './ports/source-reader.js';
import type { ToolDef } from './registry/tool-def.js';
import type { SourceText } from './source/source-text.js';

export interface CompilePorts {
  readonly reader: SourceReader;
  readonly tools: readonly ToolDef[];
}

export interface Compilation {
  /** Present if no finding is an error. */
  readonly plan?: Plan;
  /** Of all files, sorted by file and position. */
  readonly diagnostics: readonly Diagnostic[];
  /** The file itself first, then the agent and workflow files that it uses. */
  readonly sources: readonly SourceText[];
}

/** Text to plan. All problems of all stages are collected; none stops the next stage where that has something to look at. */
export function compile(source: SourceText, ports: CompilePorts): Compilation {
  const files = newFiles(ports.reader);
  return finished(files, link(files.workflow(source), files, worldOf(ports)));
}

/** An agent file by itself. What depends on the workflow that uses it is found when that is compiled. */
export function compileAgentFile(source: SourceText, ports: CompilePorts): Compilation {
  const files = newFiles(ports.reader);
  const { document, value } = files.agent(source);
  if (document !== undefined && value !== undefined) files.add(lintAgent(document, value, worldOf(ports)));
  return finished(files, undefined);
}

function finished(files: Files, linked: Linked | undefined): Compilation {
  const diagnostics = ordered(
    files.finished(),
    files.sources.map((file) => file.path),
  );
  const runnable = linked !== undefined && diagnostics.every((diagnostic) => diagnostic.severity !== 'error');
  return { ...(runnable ? { plan: buildPlan(linked) } : {}), diagnostics, sources: files.sources };
}

function worldOf(ports: CompilePorts): { readonly tools: ReadonlyMap<string, ToolDef> } {
  return { tools: new Map(ports.tools.map((tool) => [tool.id, tool])) };
}
