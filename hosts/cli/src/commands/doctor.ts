import { accessSync, constants, lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type CallContext, evaluate, HostError, jsonScope, parseExpression, showControls } from '@relavium/engine';
import { findLeftovers, type NodeHost, removeScratchFolder } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { refuse } from '../problem.js';
import { openProject, shownPath } from '../project/open-project.js';
import { writeRecord } from '../render/write-data.js';
import { openHost } from '../run/open-host.js';
import { version } from '../version.js';

/** `absent`: not there, and whatever needs it says so. `broken`: it should work and does not. */
interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'absent' | 'warning' | 'broken';
  readonly detail: string;
}

/** What is installed, which capabilities work, which secrets are set (never their values), and what killed runs have left. Asks no server. */
export async function doctor(cli: Cli): Promise<number> {
  const project = openProject(cli);
  const opened = openHost(cli, project, { tier: 'sandboxed' });
  if (!opened.ok) return refuse(cli, opened.problem);
  const host = opened.value;
  const call: CallContext = { node: 'doctor', attempt: 1, signal: host.newCancel().signal };
  const findings = [
    { check: 'relavium', state: 'ok', detail: `${version}, Node ${process.versions.node}, ${process.platform} ${process.arch}` } as const,
    workspace(cli, project.root),
    expressions(host),
    await commands(host, call),
    await git(host, call),
    ...(['egress', 'search', 'os', 'mcp', 'media'] as const).map((capability) => present(host, capability)),
    ...(await keys(cli, host)),
    stateFolder(),
    leftovers(),
  ];
  for (const finding of findings) print(cli, finding);
  return findings.some(({ state }) => state === 'broken') ? exitCode.failed : exitCode.done;
}

function workspace(cli: Cli, root: string): Finding {
  const check = 'project';
  const shown = shownPath(cli, root) || '.';
  try {
    accessSync(root, constants.R_OK | constants.W_OK);
    return { check, state: 'ok', detail: `${shown}, can be read and written` };
  } catch {
    return { check, state: 'warning', detail: `${shown} cannot be written: file tools and save_to will fail` };
  }
}

function expressions({ vm }: NodeHost): Finding {
  const check = 'expressions';
  const parsed = parseExpression('[20, 22].reduce((sum, item) => sum + item)');
  if ('error' in parsed) throw new Error('the expression of this check is not valid');
  const result = evaluate(parsed.expression, jsonScope({}), vm);
  return result.ok && result.value === 42
    ? { check, state: 'ok', detail: 'the virtual machine evaluates' }
    : { check, state: 'broken', detail: result.ok ? 'the virtual machine gives a wrong value' : result.message };
}

/** This very program is one that can surely be started. */
async function commands({ tools }: NodeHost, call: CallContext): Promise<Finding> {
  const check = 'commands';
  const request = { command: process.execPath, args: ['-e', ''], env: {}, maxOutputBytes: 1_000 };
  try {
    const { exitCode: code } = await tools.process!.run(request, call);
    return code === 0
      ? { check, state: 'ok', detail: 'programs can be started' }
      : { check, state: 'broken', detail: `a program that does nothing ended with exit code ${code}` };
  } catch (error) {
    if (error instanceof HostError) return { check, state: 'broken', detail: error.message };
    throw error;
  }
}

/** GIT_CONFIG_GLOBAL, by which a person's configuration is kept out, came with 2.32. */
async function git({ tools }: NodeHost, call: CallContext): Promise<Finding> {
  const check = 'git';
  try {
    const { stdout } = await tools.process!.run({ command: 'git', args: ['--version'], env: {}, maxOutputBytes: 1_000 }, call);
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout) ?? [];
    const isOld = Number(major) < 2 || (Number(major) === 2 && Number(minor) < 32);
    const detail = stdout.trim();
    return isOld
      ? { check, state: 'warning', detail: `${detail}; git_status and git_commit want 2.32 or newer` }
      : { check, state: 'ok', detail };
  } catch (error) {
    if (error instanceof HostError)
      return { check, state: 'absent', detail: 'no git in PATH: git_status and git_commit are not available' };
    throw error;
  }
}

function present({ tools }: NodeHost, capability: 'egress' | 'search' | 'os' | 'mcp' | 'media'): Finding {
  return tools[capability] === undefined
    ? { check: capability, state: 'absent', detail: 'this host does not have it: its tools answer tool_unavailable' }
    : { check: capability, state: 'ok', detail: 'there' };
}

const PROVIDERS = ['anthropic', 'openai', 'google', 'deepseek'] as const;
const SECRET = /^RELAVIUM_SECRET_([A-Z0-9_]+)$/;

async function keys({ env }: Cli, { tools }: NodeHost): Promise<readonly Finding[]> {
  const set = Object.keys(env).flatMap((name) => SECRET.exec(name)?.[1] ?? []);
  const secrets: Finding = {
    check: 'secrets',
    state: set.length === 0 ? 'absent' : 'ok',
    detail: set.length === 0 ? 'none is set (RELAVIUM_SECRET_<NAME>)' : `set: ${set.sort().join(', ')}`,
  };
  const providers = PROVIDERS.map(async (id): Promise<Finding> => {
    const check = `${id} key`;
    return (await tools.secrets!.read(id)) === undefined
      ? { check, state: 'absent', detail: `looked for in ${tools.secrets!.places(id).join(', ')}` }
      : { check, state: 'ok', detail: 'set' };
  });
  return [secrets, ...(await Promise.all(providers))];
}

function stateFolder(): Finding {
  const check = 'state folder';
  const folder = join(homedir(), '.relavium');
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return { check, state: 'ok', detail: `${folder} is made when it is needed` };
  if (!stats.isDirectory()) return { check, state: 'broken', detail: `${folder} is no folder: move it away` };
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
    return { check, state: 'warning', detail: `${folder} can be entered by others; it is closed when a run needs it` };
  return { check, state: 'ok', detail: folder };
}

/** What is found is removed at once: its process is gone, and nobody else may use it. */
function leftovers(): Finding {
  const { abandoned, inUse } = findLeftovers(homedir());
  for (const folder of abandoned) removeScratchFolder(folder);
  const removed = abandoned.length === 0 ? 'none' : `${abandoned.length} of runs that were killed, removed`;
  return { check: 'leftovers', state: 'ok', detail: inUse === 0 ? removed : `${removed}; ${inUse} in use` };
}

function print(cli: Cli, { check, state, detail }: Finding): void {
  if (cli.json) return writeRecord(cli.out, { check, state, detail });
  if (cli.quiet && (state === 'ok' || state === 'absent')) return;
  const { green, yellow, red, dim } = cli.out.paint;
  const paint = { ok: green, absent: dim, warning: yellow, broken: red }[state];
  cli.out.line(`${paint(state.padEnd(7))}  ${check.padEnd(13)}  ${showControls(detail, 'log_line')}`);
}
