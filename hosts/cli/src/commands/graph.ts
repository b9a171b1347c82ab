import { builtinTools, compile } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { refuse } from '../problem.js';
import { findWorkflow } from '../project/find-workflow.js';
import { openProject } from '../project/open-project.js';
import { graphRecord } from '../render/graph-record.js';
import { mermaid } from '../render/mermaid.js';
import { writeJson, writeRecord } from '../render/write-data.js';
import { reportDiagnostics } from './report-diagnostics.js';

export interface GraphOptions {
  readonly format?: 'mermaid' | 'json';
}

/** The plan of a workflow, as it will be run. */
export function graph(cli: Cli, named: string, { format }: GraphOptions): number {
  const project = openProject(cli);
  const source = findWorkflow(cli, project, named);
  if (!source.ok) return refuse(cli, source.problem);
  const compiled = compile(source.value, { reader: project.reader, tools: builtinTools });
  if (compiled.plan === undefined) {
    reportDiagnostics(cli, compiled, true);
    return exitCode.refused;
  }
  if (format === 'json' || (format === undefined && cli.json)) {
    const write = cli.json ? writeRecord : writeJson;
    write(cli.out, graphRecord(compiled.plan));
  } else cli.out.write(mermaid(compiled.plan));
  return exitCode.done;
}
