import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtinTools, createRegistry, type JsonObject, type ProcessHost, type ToolOutcome } from '@relavium/engine';
import { createGit, createProcessHost } from '@relavium/host-node';
import { type Case, type Judge, show, verdict } from '../case.js';

/** A call of a git tool through the registry, on a real repository; the command lines that git gets are written down. */
export const judge: Judge = async (testCase) => {
  const workspace = mkdtempSync(join(tmpdir(), 'git-case-'));
  try {
    makeRepository(workspace);
    const { outcome, lines } = await called(testCase, workspace);
    const { expect } = testCase;
    if (expect === 'allow' || expect === 'deny') return verdict(outcome.ok === (expect === 'allow'), expect, outcome);
    const { after_separator: behind = [], argv_contains: within = [] } = expect as Lines;
    const isMet = within.every((text) => lines.some((line) => line.includes(text))) && behind.every((text) => isOnlyBehind(lines, text));
    return verdict(isMet, show(expect), { lines });
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
};

interface Lines {
  readonly after_separator?: readonly string[];
  readonly argv_contains?: readonly string[];
}

interface Input {
  readonly tool: 'git_status' | 'git_commit';
  readonly command?: string;
  readonly args?: readonly string[];
  readonly message?: string;
  readonly paths?: readonly string[];
}

function makeRepository(workspace: string): void {
  const git = (...args: string[]): unknown => execFileSync('git', ['-C', workspace, ...args]);
  git('init', '-q', '-b', 'main');
  writeFileSync(join(workspace, 'a.txt'), 'text\n');
  git('add', 'a.txt');
  git('-c', 'user.name=Test Person', '-c', 'user.email=test@example.com', 'commit', '-q', '-m', 'first');
}

const policy = { allowedCommands: [], allowedCommandGlobs: [], allowedDomains: [], fsScope: 'sandboxed' } as const;

async function called(
  { input, context }: Case,
  workspace: string,
): Promise<{ outcome: ToolOutcome; lines: readonly (readonly string[])[] }> {
  const { tool, command, args, message, paths } = input as Input;
  const { config = {}, gateApproved } = context as { readonly config?: JsonObject; readonly gateApproved?: boolean };
  const lines: (readonly string[])[] = [];
  const real = createProcessHost({ workspace, environment: process.env });
  const process_: ProcessHost = {
    run: (request, call) => {
      lines.push(request.args);
      return real.run(request, call);
    },
  };
  const registry = createRegistry({ tools: builtinTools, host: { process: process_, git: createGit(process_) }, policy });
  const isStatus = tool === 'git_status';
  // A model picks the subcommand; only a tool node commits.
  const modelArgs = isStatus ? ({ subcommand: command, ...(args === undefined ? {} : { args }) } as JsonObject) : {};
  const pinned = isStatus ? config : ({ ...config, message, ...(paths === undefined ? {} : { pathspecs: paths }) } as JsonObject);
  const outcome = await registry.dispatch({
    tool,
    caller: isStatus ? 'agent' : 'node',
    granted: [tool],
    modelArgs,
    mapped: {},
    config: pinned,
    ...(gateApproved === undefined ? {} : { gateApproved }),
    context: { node: 'case', attempt: 1, signal: new AbortController().signal },
  });
  return { outcome, lines };
}

/** It is in a command line, and in each of them only behind `--`. */
function isOnlyBehind(lines: readonly (readonly string[])[], text: string): boolean {
  const having = lines.filter((line) => line.includes(text));
  return having.length > 0 && having.every((line) => line.includes('--') && line.indexOf(text) > line.indexOf('--'));
}
