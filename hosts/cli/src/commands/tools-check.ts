import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  builtinTools,
  compile,
  createRegistry,
  type Json,
  type JsonObject,
  type Policy,
  showControls,
  type ToolDecision,
} from '@relavium/engine';
import type { NodeHost } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { parseJson } from '../inputs/parse-json.js';
import { done, type Outcome, problem, refuse } from '../problem.js';
import { findWorkflow } from '../project/find-workflow.js';
import { openProject, type Project } from '../project/open-project.js';
import { writeRecord } from '../render/write-data.js';
import { type Grants, openHost } from '../run/open-host.js';
import { answerLines } from './answer-lines.js';
import { reportDiagnostics } from './report-diagnostics.js';

export interface CheckOptions extends Grants {
  readonly args?: string;
  readonly workflow?: string;
  readonly allowCommand?: readonly string[];
  readonly allowCommandGlob?: readonly string[];
  readonly allowDomain?: readonly string[];
  readonly jsonl?: boolean;
}

/** Would this call be allowed? Asks the registry that a run asks, and does nothing. */
export async function checkTool(cli: Cli, id: string | undefined, options: CheckOptions): Promise<number> {
  const project = openProject(cli);
  if (options.jsonl === true) return answerLines(cli, (request) => answerRequest(cli, project, request));
  if (id === undefined)
    return refuse(cli, problem('which tool is meant?', 'Name one, or give requests on standard input with --jsonl.').problem);
  const args = argumentsFrom(options.args);
  if (!args.ok) return refuse(cli, args.problem);
  const policy = policyFrom(cli, options);
  if (policy === undefined) return exitCode.refused;
  if (!policy.ok) return refuse(cli, policy.problem);
  const host = openHost(cli, project, options);
  if (!host.ok) return refuse(cli, host.problem);
  const decision = await ask({ tool: id, args: args.value, policy: policy.value, host: host.value });
  print(cli, id, decision);
  return decision.decision === 'allow' ? exitCode.done : exitCode.failed;
}

interface Question {
  readonly tool: string;
  readonly args: JsonObject;
  readonly policy: Policy;
  readonly host: NodeHost;
}

function ask({ tool, args, policy, host }: Question): Promise<ToolDecision> {
  const registry = createRegistry({ tools: builtinTools, host: host.tools, policy });
  const context = { node: 'check', attempt: 1, signal: host.newCancel().signal };
  return registry.check({ tool, caller: 'node', granted: [tool], modelArgs: {}, mapped: {}, config: args, context });
}

function answerRequest(cli: Cli, project: Project, request: JsonObject): Promise<ToolDecision> | object {
  const { tool, args = {}, tier = 'sandboxed', workspace } = request;
  if (typeof tool !== 'string') return invalid('tool must be text');
  if (!isObject(args)) return invalid('args must be an object');
  if (tier !== 'sandboxed' && tier !== 'project' && tier !== 'full') return invalid('tier must be sandboxed, project or full');
  const policy: Policy = {
    allowedCommands: entriesOf(request.allowedCommands),
    allowedCommandGlobs: textsOf(request.allowedCommandGlobs),
    allowedDomains: textsOf(request.allowedDomains),
    fsScope: tier,
  };
  const place = typeof workspace === 'string' ? { ...project, root: resolve(cli.cwd, workspace) } : project;
  if (statSync(place.root, { throwIfNoEntry: false })?.isDirectory() !== true) return invalid('workspace is no directory');
  const host = openHost(cli, place, { tier, root: textsOf(request.roots) });
  return host.ok ? ask({ tool, args, policy, host: host.value }) : invalid(host.problem.message);
}

function invalid(message: string): object {
  return { decision: 'error', code: 'invalid_request', message };
}

function argumentsFrom(text: string | undefined): Outcome<JsonObject> {
  if (text === undefined) return done({});
  const parsed = parseJson(text, '--args');
  if (!parsed.ok) return parsed;
  return isObject(parsed.value) ? done(parsed.value) : problem('--args must be an object: argument → value');
}

/** The policy of a workflow, widened by what the flags allow. `undefined`: the workflow is not valid, which has been told. */
function policyFrom(cli: Cli, options: CheckOptions): Outcome<Policy> | undefined {
  let base: Policy = { allowedCommands: [], allowedCommandGlobs: [], allowedDomains: [], fsScope: options.tier };
  if (options.workflow !== undefined) {
    const project = openProject(cli);
    const source = findWorkflow(cli, project, options.workflow);
    if (!source.ok) return source;
    const compiled = compile(source.value, { reader: project.reader, tools: builtinTools });
    if (compiled.plan === undefined) {
      reportDiagnostics(cli, compiled, true);
      return undefined;
    }
    base = compiled.plan.policy;
  }
  return done({
    ...base,
    allowedCommands: [...base.allowedCommands, ...entriesOf(options.allowCommand ?? [])],
    allowedCommandGlobs: [...base.allowedCommandGlobs, ...(options.allowCommandGlob ?? [])],
    allowedDomains: [...base.allowedDomains, ...(options.allowDomain ?? [])],
  });
}

/** An entry is a line, cut at single spaces, or already a list of words. */
function entriesOf(value: Json | undefined): readonly (readonly string[])[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry: Json) => (Array.isArray(entry) ? textsOf(entry) : String(entry).split(' ')));
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function print(cli: Cli, tool: string, decision: ToolDecision): void {
  if (cli.json) return writeRecord(cli.out, decision);
  const { paint } = cli.out;
  if (decision.decision === 'allow') return cli.out.line(`${paint.green('allow')} ${showControls(tool)}`);
  const word = decision.decision === 'deny' ? paint.red('deny') : paint.yellow('error');
  cli.out.line(
    `${word} ${paint.dim(`[${[decision.code, decision.reason].filter((part) => part !== undefined).join(', ')}]`)} ${showControls(decision.message ?? '')}`,
  );
  const { rule, value, remedy } = decision.details ?? {};
  if (typeof rule === 'string') cli.out.line(`  rule:  ${showControls(rule)}`);
  if (typeof value === 'string') cli.out.line(`  value: ${showControls(value)}`);
  if (typeof remedy === 'string') {
    cli.out.line('  these lines would allow it:');
    for (const line of remedy.split('\n')) cli.out.line(`  ${paint.dim('│')} ${showControls(line)}`);
  }
}
