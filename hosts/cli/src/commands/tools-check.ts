import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  builtinTools,
  compile,
  createRegistry,
  type FileSystem,
  type Json,
  type JsonObject,
  type Policy,
  showControls,
  type ToolDecision,
} from '@relavium/engine';
import {
  bareDisk,
  createFileSystem,
  createFsPathPolicy,
  isBlockedAddress,
  type NodeHost,
  nativePlatform,
  type Platform,
} from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { parseJson } from '../inputs/parse-json.js';
import { done, type Outcome, problem, refuse } from '../problem.js';
import { findWorkflow } from '../project/find-workflow.js';
import { openProject, type Project } from '../project/open-project.js';
import { denialLines } from '../render/denial.js';
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
  readonly resolve?: readonly string[];
  readonly surface?: Surface;
  readonly platform?: Platform;
  readonly jsonl?: boolean;
}

type Surface = 'workflow' | 'chat';

/** Would this call be allowed? Asks the registry that a run asks, and does nothing. */
export async function checkTool(cli: Cli, id: string | undefined, options: CheckOptions): Promise<number> {
  const project = openProject(cli);
  if (options.jsonl === true) {
    const idle = idleFlag(id, options);
    const next = 'Each request holds its tool, its arguments and the policy that it is judged by.';
    if (idle !== undefined) return refuse(cli, { message: `${idle} has no effect with --jsonl`, next });
    return answerLines(cli, (request) => answerRequest(cli, project, request));
  }
  if (id === undefined)
    return refuse(cli, problem('which tool is meant?', 'Name one, or give requests on standard input with --jsonl.').problem);
  const args = argumentsFrom(options.args);
  if (!args.ok) return refuse(cli, args.problem);
  const policy = policyFrom(cli, options);
  if (policy === undefined) return exitCode.refused;
  if (!policy.ok) return refuse(cli, policy.problem);
  const addresses = addressesFrom(options.resolve ?? []);
  if (!addresses.ok) return refuse(cli, addresses.problem);
  const opened = openCheckedHost(cli, project, {
    ...options,
    surface: options.surface ?? 'workflow',
    platform: options.platform ?? nativePlatform(),
  });
  if (!opened.ok) return refuse(cli, opened.problem);
  const decision = await ask({ tool: id, args: args.value, policy: policy.value, addresses: addresses.value, ...opened.value });
  print(cli, id, decision, options.workflow ?? 'the flags of this command');
  return decision.decision === 'allow' ? exitCode.done : exitCode.failed;
}

/** Something beside --jsonl: each request says all of it for itself. */
function idleFlag(id: string | undefined, { jsonl: _, tier, ...others }: CheckOptions): string | undefined {
  if (id !== undefined) return `the tool ${id}`;
  if (tier !== 'sandboxed') return '--tier';
  const set = Object.entries(others).find(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== undefined));
  return set === undefined ? undefined : `--${set[0].replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

interface Question {
  readonly tool: string;
  readonly args: JsonObject;
  readonly policy: Policy;
  /** What names are said to resolve to. */
  readonly addresses: Addresses;
  readonly host: NodeHost;
  readonly fs: FileSystem;
}

type Addresses = ReadonlyMap<string, readonly string[]>;

async function ask({ tool, args, policy, addresses, host, fs }: Question): Promise<ToolDecision> {
  const registry = createRegistry({ tools: builtinTools, host: { ...host.tools, fs }, policy });
  const context = { node: 'check', attempt: 1, signal: host.newCancel().signal };
  const decision = await registry.check({ tool, caller: 'node', granted: [tool], modelArgs: {}, mapped: {}, config: args, context });
  return judgeAddresses(decision, addresses);
}

/** Addresses are judged by whoever connects. What a name resolves to is not looked up here: it is what the person says. */
function judgeAddresses(decision: ToolDecision, addresses: Addresses): ToolDecision {
  const { target } = decision;
  const mayGoOn = decision.decision === 'allow' || decision.code === 'tool_unavailable';
  if (!mayGoOn || target?.kind !== 'url') return decision;
  const { hostname } = new URL(target.url);
  const literal = hostname.replace(/^\[|\]$/g, '');
  const found = isIP(literal) === 0 ? (addresses.get(hostname.replace(/\.$/, '')) ?? []) : [literal];
  const blocked = found.find(isBlockedAddress);
  if (blocked === undefined) return decision;
  const message = `${hostname} leads to ${blocked}, which is no public address`;
  const details = { reason: 'address_blocked', rule: 'public addresses only', source: 'built_in', value: blocked };
  return { decision: 'deny', code: 'tool_denied', reason: 'address_blocked', message, details, target };
}

interface CheckedPlace extends Grants {
  readonly surface: Surface;
  readonly platform: Platform;
  /** The workspace, spelled as that platform spells it; absent: the project, or on another platform a made-up place. */
  readonly workspace?: string;
}

/** The host of this machine with the file policy that is asked about; of another platform only what paths look like can be judged. */
function openCheckedHost(cli: Cli, project: Project, place: CheckedPlace): Outcome<Pick<Question, 'host' | 'fs'>> {
  const { tier, surface, platform, root = [] } = place;
  const isForeign = platform !== nativePlatform();
  const workspaceDir = isForeign ? (place.workspace ?? (platform === 'win32' ? 'C:\\workspace' : '/workspace')) : project.root;
  const extraRoots = isForeign ? root : root.map((folder) => resolve(cli.cwd, folder));
  try {
    const host = openHost(cli, project, isForeign ? { tier } : { tier, root });
    if (!host.ok) return host;
    const operations = isForeign ? { operations: bareDisk(platform, [workspaceDir, ...root]) } : {};
    const policy = createFsPathPolicy({ workspaceDir, extraRoots, tier, surface, ...operations });
    return done({ host: host.value, fs: createFileSystem(policy) });
  } catch (error) {
    return problem(
      `no such place: ${(error as Error).message}`,
      'The workspace and each root are folders, absolute and in the spelling of the platform.',
    );
  }
}

function addressesFrom(entries: readonly string[]): Outcome<Addresses> {
  const addresses = new Map<string, readonly string[]>();
  for (const entry of entries) {
    const [name = '', list = ''] = entry.split('=', 2);
    if (name === '' || list === '')
      return problem(`--resolve ${entry} is not NAME=ADDRESS,ADDRESS`, 'Such as --resolve api.example.com=203.0.113.7.');
    addresses.set(name.toLowerCase(), list.split(','));
  }
  return done(addresses);
}

function answerRequest(cli: Cli, project: Project, request: JsonObject): Promise<ToolDecision> | object {
  const { tool, args = {}, tier = 'sandboxed', surface = 'workflow', platform = nativePlatform(), workspace } = request;
  if (typeof tool !== 'string') return invalid('tool must be text');
  if (!isObject(args)) return invalid('args must be an object');
  if (tier !== 'sandboxed' && tier !== 'project' && tier !== 'full') return invalid('tier must be sandboxed, project or full');
  if (surface !== 'workflow' && surface !== 'chat') return invalid('surface must be workflow or chat');
  if (platform !== 'posix' && platform !== 'win32') return invalid('platform must be posix or win32');
  const policy: Policy = {
    allowedCommands: entriesOf(request.allowedCommands),
    allowedCommandGlobs: textsOf(request.allowedCommandGlobs),
    allowedDomains: textsOf(request.allowedDomains),
    fsScope: tier,
  };
  const isHere = platform === nativePlatform();
  const own = isHere && typeof workspace === 'string' ? { ...project, root: resolve(cli.cwd, workspace) } : project;
  if (!isDirectory(own.root)) return invalid('workspace is no directory');
  const place: CheckedPlace = {
    tier,
    surface,
    platform,
    root: textsOf(request.roots),
    ...(typeof workspace === 'string' ? { workspace } : {}),
  };
  const opened = openCheckedHost(cli, own, place);
  const addresses = new Map(
    Object.entries(isObject(request.resolve ?? null) ? (request.resolve as JsonObject) : {}).map(([name, list]) => [
      name.toLowerCase(),
      textsOf(list),
    ]),
  );
  return opened.ok ? ask({ tool, args, policy, addresses, ...opened.value }) : invalid(opened.problem.message);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
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

function print(cli: Cli, tool: string, decision: ToolDecision, workflow: string): void {
  if (cli.json) return writeRecord(cli.out, decision);
  const { paint } = cli.out;
  if (decision.decision === 'allow') return cli.out.line(`${paint.green('allow')} ${showControls(tool)}`);
  const word = decision.decision === 'deny' ? paint.red('deny') : paint.yellow('error');
  cli.out.line(
    `${word} ${paint.dim(`[${[decision.code, decision.reason].filter((part) => part !== undefined).join(', ')}]`)} ${showControls(decision.message ?? '', 'log_line')}`,
  );
  for (const line of denialLines(decision.details ?? {}, { paint, workflow })) cli.out.line(line);
}
