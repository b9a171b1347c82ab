import { resolve } from 'node:path';
import { admitInputs, builtinTools, compile, type Json, type JsonObject, type Plan } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { gatherInputs, type InputProblem } from '../inputs/gather-inputs.js';
import { inputDiagnostics } from '../inputs/input-diagnostics.js';
import { parseJson } from '../inputs/parse-json.js';
import { done, type Outcome, refuse } from '../problem.js';
import { findWorkflow } from '../project/find-workflow.js';
import { openProject } from '../project/open-project.js';
import { readStandardInput, readText } from '../project/read-text.js';
import { outputTarget } from '../run/output-target.js';
import { type RunLimits, runPlan } from '../run/run-plan.js';
import { listWorkflows } from './list-workflows.js';
import { reportDiagnostics } from './report-diagnostics.js';

export interface RunCommandOptions extends RunLimits {
  readonly input?: readonly string[];
  readonly inputs?: string;
  readonly output?: string;
}

/** Compiles a workflow, admits its inputs, runs it and prints what it gives. */
export async function run(cli: Cli, named: string | undefined, options: RunCommandOptions): Promise<number> {
  const project = openProject(cli);
  if (named === undefined) return listWorkflows(cli, project);
  const target = outputTarget(cli, options.output);
  if (!target.ok) return refuse(cli, target.problem);
  const source = findWorkflow(cli, project, named);
  if (!source.ok) return refuse(cli, source.problem);

  const compiled = compile(source.value, { reader: project.reader, tools: builtinTools });
  const { plan, sources } = compiled;
  reportDiagnostics(cli, compiled, plan === undefined);
  if (plan === undefined) return exitCode.refused;

  const document = await inputDocument(cli, options.inputs);
  if (!document.ok) return refuse(cli, document.problem);
  const admitted = admit(plan, options.input ?? [], document.value, cli.env);
  if (!admitted.ok) {
    reportDiagnostics(cli, { diagnostics: inputDiagnostics(plan, source.value, admitted.problems), sources: [source.value] }, true);
    return exitCode.refused;
  }
  return runPlan(cli, { plan, sources, inputs: admitted.inputs, workspace: project.root, limits: options, target: target.value });
}

/** What `--inputs` names: a JSON file, or `-` for standard input. */
async function inputDocument(cli: Cli, named: string | undefined): Promise<Outcome<Json | undefined>> {
  if (named === undefined) return done(undefined);
  const shown = named === '-' ? 'standard input' : named;
  const text = named === '-' ? await readStandardInput(cli.stdin) : readText(resolve(cli.cwd, named), named);
  return text.ok ? parseJson(text.value, shown) : text;
}

type Admitted = { readonly ok: true; readonly inputs: JsonObject } | { readonly ok: false; readonly problems: readonly InputProblem[] };

function admit(plan: Plan, assignments: readonly string[], document: Json | undefined, env: NodeJS.ProcessEnv): Admitted {
  const { given, problems } = gatherInputs(plan.inputs, { assignments, document, env });
  const admitted = admitInputs(plan, given);
  if (problems.length === 0) return admitted;
  const named = new Set(problems.map(({ input }) => input));
  return { ok: false, problems: [...problems, ...(admitted.ok ? [] : admitted.problems.filter(({ input }) => !named.has(input)))] };
}
