import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtinTools, createRegistry } from '@relavium/engine';
import { createNodeHost } from '@relavium/host-node';
import { type Case, failed, type Judge, show, type Verdict, verdict } from '../case.js';

/** Commands as the registry judges them; expectations about the child start it. */
export const judge: Judge = async (testCase) => {
  const workspace = mkdtempSync(join(tmpdir(), 'cases-'));
  try {
    return await judgeIn(workspace, testCase);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
};

async function judgeIn(workspace: string, testCase: Case): Promise<Verdict> {
  const { context, expect } = testCase;
  const { command, args } = testCase.input as { readonly command: string; readonly args?: readonly string[] };
  const host = createNodeHost({
    workspace,
    tier: 'sandboxed',
    roots: [],
    environment: { ...process.env, ...((context.env ?? {}) as Record<string, string>) },
  });
  const registry = createRegistry({
    tools: builtinTools,
    host: host.tools,
    policy: {
      allowedCommands: ((context.allowedCommands ?? []) as (string | string[])[]).map((entry) =>
        typeof entry === 'string' ? entry.split(' ') : entry,
      ),
      allowedCommandGlobs: (context.allowedCommandGlobs ?? []) as string[],
      allowedDomains: [],
      fsScope: 'sandboxed',
    },
  });
  const call = {
    tool: 'run_command',
    caller: 'node',
    granted: ['run_command'],
    modelArgs: {},
    mapped: {},
    config: { command, ...(args === undefined ? {} : { args }) },
    context: { node: 'case', attempt: 1, signal: new AbortController().signal },
  } as const;
  if (typeof expect === 'string') {
    const decision = await registry.check(call);
    const isAllowed = decision.decision === 'allow';
    return verdict(isAllowed === (expect === 'allow'), expect, decision);
  }
  const outcome = await registry.dispatch(call);
  return outcome.ok ? meets(expect as Expected, outcome.output as unknown as Result) : failed(show(expect), outcome.error);
}

interface Result {
  readonly stdout: string;
}

interface Expected {
  readonly stdout?: string;
  readonly env_absent?: readonly string[];
  readonly env_present?: readonly string[];
}

function meets(expected: Expected, result: Result): Verdict {
  const names = new Set(result.stdout.split('\n').map((line) => line.split('=', 1)[0]));
  const isMet =
    (expected.stdout === undefined || result.stdout === expected.stdout) &&
    (expected.env_absent ?? []).every((name) => !names.has(name)) &&
    (expected.env_present ?? []).every((name) => names.has(name));
  return verdict(isMet, show(expected), result);
}
