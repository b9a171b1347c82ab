import { resolve } from 'node:path';
import { builtinTools, compile, createRegistry, type Json, type Plan } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { inputDiagnostics } from '../inputs/input-diagnostics.js';
import { parseJson } from '../inputs/parse-json.js';
import { done, type Outcome, problem, refuse } from '../problem.js';
import { findWorkflow } from '../project/find-workflow.js';
import { openProject } from '../project/open-project.js';
import { readStandardInput, readText } from '../project/read-text.js';
import { writeTarget } from '../project/write-target.js';
import { type AgentFlags, agentSettings, withMaxCost } from '../run/agent-settings.js';
import { beginRun, workflowHash } from '../run/begin-run.js';
import { dryRunPlan } from '../run/dry-run-plan.js';
import { type GateMode, gateMode } from '../run/gates.js';
import { type Grants, openHost } from '../run/open-host.js';
import { runPlan } from '../run/run-plan.js';
import { templateFiles } from '../run/template-files.js';
import { listWorkflows } from './list-workflows.js';
import { reportDiagnostics } from './report-diagnostics.js';

export interface RunCommandOptions extends Grants, AgentFlags {
  readonly input?: readonly string[];
  readonly inputs?: string;
  readonly output?: string;
  readonly maxParallel?: number;
  /** Seconds. */
  readonly timeout?: number;
  readonly dryRun?: boolean;
  /** A JSON file: node path → output. */
  readonly mock?: string;
  readonly gates?: GateMode;
  /** A person is asked before each call that changes something. */
  readonly ask?: boolean;
}

/** Compiles a workflow, judges its inputs, runs it and prints what it gives. */
export async function run(cli: Cli, named: string | undefined, options: RunCommandOptions): Promise<number> {
  const project = openProject(cli);
  if (named === undefined) return listWorkflows(cli, project);
  if (options.mock !== undefined && options.dryRun !== true)
    return refuse(cli, problem('--mock has no effect without --dry-run', 'Add -n: a run that is not dry does what its nodes say.').problem);
  const source = findWorkflow(cli, project, named);
  if (!source.ok) return refuse(cli, source.problem);

  const compiled = compile(source.value, { reader: project.reader, tools: builtinTools });
  reportDiagnostics(cli, compiled, compiled.plan === undefined);
  if (compiled.plan === undefined) return exitCode.refused;
  const reads = [...compiled.sources.map(({ path }) => path), options.inputs];
  const target = options.output === undefined ? done(undefined) : writeTarget(cli, '--output', options.output, reads);
  if (!target.ok) return refuse(cli, target.problem);
  const plan = withMaxCost(withTimeout(compiled.plan, options.timeout), options.maxCost);

  const gates = options.dryRun === true ? done('reject' as const) : gateMode(cli, plan, options.gates, options.ask);
  if (!gates.ok) return refuse(cli, gates.problem);
  const document = await inputDocument(cli, options.inputs);
  if (!document.ok) return refuse(cli, document.problem);
  const host = openHost(cli, project, options);
  if (!host.ok) return refuse(cli, host.problem);
  const agents = await agentSettings(cli, project, plan, options);
  if (!agents.ok) return refuse(cli, agents.problem);
  const begun = await beginRun({
    plan,
    workflowHash: workflowHash(compiled.sources),
    inputs: { assignments: options.input ?? [], document: document.value, env: cli.env },
    trigger: { type: 'manual' },
    host: host.value,
    readFile: templateFiles(createRegistry({ tools: builtinTools, host: host.value.tools, policy: plan.policy }), host.value),
  });
  if (!begun.ok) {
    reportDiagnostics(cli, { diagnostics: inputDiagnostics(plan, source.value, begun.problems), sources: [source.value] }, true);
    return exitCode.refused;
  }
  if (options.dryRun === true) {
    const mocks = readMocks(cli, options.mock);
    if (!mocks.ok) return refuse(cli, mocks.problem);
    return dryRunPlan(cli, { plan, begin: begun.begin, host: host.value, mocks: mocks.value });
  }
  return runPlan(cli, {
    plan,
    gates: gates.value,
    sources: compiled.sources,
    begin: begun.begin,
    secretInputs: begun.secretInputs,
    host: host.value,
    agents: agents.value,
    asks: options.ask === true,
    ...(options.maxParallel === undefined ? {} : { maxParallel: options.maxParallel }),
    ...(target.value === undefined ? {} : { target: target.value }),
  });
}

/** What `--mock` names: outputs that stand in for results that only a run could give. */
function readMocks(cli: Cli, named: string | undefined): Outcome<ReadonlyMap<string, Json>> {
  if (named === undefined) return done(new Map());
  const text = readText(resolve(cli.cwd, named), named);
  if (!text.ok) return text;
  const parsed = parseJson(text.value, named);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return problem(`${named} holds no object`, 'Mocks are an object: node path → output, such as {"scan": {"stdout": "a.txt"}}.');
  }
  return done(new Map(Object.entries(value)));
}

/** The person's limit, or the workflow's where that is shorter. */
function withTimeout(plan: Plan, seconds: number | undefined): Plan {
  return seconds === undefined
    ? plan
    : { ...plan, timeoutMs: Math.min(Math.ceil(seconds * 1000), plan.timeoutMs ?? Number.POSITIVE_INFINITY) };
}

/** What `--inputs` names: a JSON file, or `-` for standard input. */
async function inputDocument(cli: Cli, named: string | undefined): Promise<Outcome<Json | undefined>> {
  if (named === undefined) return done(undefined);
  const shown = named === '-' ? 'standard input' : named;
  const text = named === '-' ? await readStandardInput(cli.stdin) : readText(resolve(cli.cwd, named), named);
  return text.ok ? parseJson(text.value, shown) : text;
}
