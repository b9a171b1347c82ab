import { writeFileSync } from 'node:fs';
import { type Plan, type RunResult, type SourceText, showControls } from '@relavium/engine';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { duration } from '../render/duration.js';
import { failureLines } from '../render/failure.js';
import type { ModelUse } from '../render/model-use.js';
import { jsonText, outputText } from '../render/outputs.js';
import { writeData } from '../render/write-data.js';

export interface ResultContext {
  readonly plan: Plan;
  readonly sources: readonly SourceText[];
  readonly target: string | undefined;
  readonly models: ModelUse;
  readonly durationMs: number;
}

/** Prints outputs, or why there are none, and gives the exit code for what came of the run. */
export function reportResult(cli: Cli, result: RunResult, context: ResultContext): number {
  const { paint, columns } = cli.err;
  const time = duration(context.durationMs);
  const say = (text: string): void => {
    if (!cli.quiet && !cli.json) cli.err.line(text);
  };
  const used = context.models.summary();
  const after = used === '' ? time : `${time}, ${used}`;
  for (const line of context.models.delegation(paint)) say(line);
  switch (result.status) {
    case 'succeeded':
      say(`${paint.green('succeeded')} in ${after}`);
      return deliver(cli, result, context.target);
    case 'failed':
      if (used !== '') say(`${paint.red('failed')} after ${after}`);
      say('');
      if (!cli.json && result.error !== undefined) {
        for (const line of failureLines(result.error, { plan: context.plan, sources: context.sources, paint, columns })) cli.err.line(line);
      }
      return exitCode.failed;
    case 'cancelled':
      say(`${paint.yellow('cancelled')} after ${after}`);
      return exitCode.failed;
    case 'waiting':
      return exitCode.waiting;
    default:
      return result.status satisfies never;
  }
}

function deliver(cli: Cli, { outputs }: RunResult, target: string | undefined): number {
  const text = outputText(outputs);
  if (target !== undefined) {
    try {
      writeFileSync(target, target.endsWith('.json') ? jsonText(outputs) : text);
      return exitCode.done;
    } catch (error) {
      cli.err.line(
        `error: the outputs could not be written to ${showControls(target)} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
      );
      cli.err.line('  The run succeeded; its outputs follow on standard output.');
      if (!cli.json) writeData(cli.out, text);
      return exitCode.failed;
    }
  }
  if (cli.json || Object.keys(outputs).length === 0) return exitCode.done;
  writeData(cli.out, text);
  return exitCode.done;
}
