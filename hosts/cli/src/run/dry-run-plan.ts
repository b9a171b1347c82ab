import { builtinTools, createRegistry, type DryRunLine, dryRun, type Json, type Plan, type RunBegin, showControls } from '@relavium/engine';
import type { NodeHost } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { writeRecord } from '../render/write-data.js';
import { templateFiles } from './template-files.js';

export interface PlannedDryRun {
  readonly plan: Plan;
  readonly begin: RunBegin;
  readonly host: NodeHost;
  /** Outputs by node path. */
  readonly mocks: ReadonlyMap<string, Json>;
}

/** Prints, a node a line, what a run would do and what the policy would say. Exit code 1 if it would refuse something. */
export async function dryRunPlan(cli: Cli, { plan, begin, host, mocks }: PlannedDryRun): Promise<number> {
  const registry = createRegistry({ tools: builtinTools, host: host.tools, policy: plan.policy });
  const ports = { vm: host.vm, now: host.clock.now(), registry, readFile: templateFiles(registry, host) };
  const { lines, denied } = await dryRun(plan, begin, ports, mocks);
  if (cli.json) for (const line of lines) writeRecord(cli.out, line);
  else for (const line of table(cli, lines)) cli.out.line(line);
  return denied ? exitCode.failed : exitCode.done;
}

function table(cli: Cli, lines: readonly DryRunLine[]): readonly string[] {
  const width = Math.max(4, ...lines.map(({ node }) => node.length));
  return lines.flatMap((line) => {
    const { node, decision, reason, policy } = line;
    const head = `${painted(cli, decision)}  ${showControls(node).padEnd(width)}  ${showControls(reason, 'log_line')}`;
    return policy === undefined ? [head] : [head, ...policyLines(cli, policy)];
  });
}

function painted(cli: Cli, decision: DryRunLine['decision']): string {
  const { paint } = cli.out;
  const word = decision.padEnd(8);
  switch (decision) {
    case 'done':
      return paint.green(word);
    case 'execute':
      return paint.bold(word);
    case 'fail':
      return paint.red(word);
    case 'skip':
    case 'deferred':
      return paint.dim(word);
    default:
      return decision satisfies never;
  }
}

function policyLines(cli: Cli, policy: NonNullable<DryRunLine['policy']>): readonly string[] {
  const { paint } = cli.out;
  const indent = ' '.repeat(10);
  if (policy.decision === 'allow') return [`${indent}policy: ${paint.green('allowed')}`];
  const remedy = typeof policy.details?.remedy === 'string' ? policy.details.remedy.split('\n').map((line) => `${indent}  ${line}`) : [];
  return [
    `${indent}policy: ${paint.red(policy.decision === 'deny' ? 'denied' : 'no')}: ${showControls(policy.message ?? policy.code ?? '', 'log_line')}`,
    ...remedy,
  ];
}
