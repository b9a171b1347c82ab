import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtinTools, createRegistry, type Policy } from '@relavium/engine';
import { createNodeHost } from '@relavium/host-node';
import { type Case, failed, type Judge, show, type Verdict, verdict } from '../case.js';

/** Commands as the registry judges them; what is expected of the child is looked up in one that really runs. */
export const judge: Judge = async (testCase) => {
  const workspace = mkdtempSync(join(tmpdir(), 'cases-'));
  try {
    return await judgeIn(workspace, testCase);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
};

interface Expected {
  readonly stdout?: string;
  readonly env_absent?: readonly string[];
  readonly env_present?: readonly string[];
}

interface Command {
  readonly command: string;
  readonly args?: readonly string[];
}

async function judgeIn(workspace: string, { input, context, expect }: Case): Promise<Verdict> {
  const call = (command: Command, policy: Policy) => {
    const environment = { ...process.env, ...(context.env as Record<string, string> | undefined) };
    const registry = createRegistry({
      tools: builtinTools,
      host: createNodeHost({ workspace, environment }).tools,
      policy,
    });
    const request = {
      tool: 'run_command',
      caller: 'node',
      granted: ['run_command'],
      modelArgs: {},
      mapped: {},
      config: { ...command },
      context: { node: 'case', attempt: 1, signal: new AbortController().signal },
    } as const;
    return { check: () => registry.check(request), dispatch: () => registry.dispatch(request) };
  };

  const policy = policyOf(context);
  if (typeof expect === 'string') {
    const decision = await call(input as Command, policy).check();
    return verdict((decision.decision === 'allow') === (expect === 'allow'), expect, decision);
  }
  const expected = expect as Expected;
  if (expected.stdout !== undefined) {
    const outcome = await call(input as Command, policy).dispatch();
    return outcome.ok
      ? verdict(stdoutOf(outcome.output) === expected.stdout, show(expected), outcome.output)
      : failed(show(expected), outcome.error);
  }
  if (expected.env_absent === undefined && expected.env_present === undefined)
    return failed(show(expect), 'an expectation that this harness does not know');
  // Any child has the same environment; this one tells.
  const outcome = await call({ command: 'env' }, { ...policy, allowedCommands: [['env']] }).dispatch();
  if (!outcome.ok) return failed(show(expected), outcome.error);
  const names = new Set(
    stdoutOf(outcome.output)
      .split('\n')
      .map((line) => line.split('=', 1)[0]),
  );
  const isMet =
    (expected.env_absent ?? []).every((name) => !names.has(name)) && (expected.env_present ?? []).every((name) => names.has(name));
  return verdict(isMet, show(expected), [...names]);
}

function policyOf(context: Case['context']): Policy {
  return {
    allowedCommands: ((context.allowedCommands ?? []) as readonly (string | readonly string[])[]).map((entry) =>
      typeof entry === 'string' ? entry.split(' ') : entry,
    ),
    allowedCommandGlobs: (context.allowedCommandGlobs ?? []) as readonly string[],
    allowedDomains: [],
    fsScope: 'sandboxed',
  };
}

function stdoutOf(output: unknown): string {
  return (output as { readonly stdout: string }).stdout;
}
