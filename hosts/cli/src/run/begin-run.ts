import { createHash } from 'node:crypto';
import { type Json, type Plan, prepareInputs, type RunBegin, type RunPorts, type SourceText } from '@relavium/engine';
import type { NodeHost } from '@relavium/host-node';
import { gatherInputs, type InputProblem, type InputSources } from '../inputs/gather-inputs.js';

export interface RunStart {
  readonly plan: Plan;
  /** Of the texts that the plan was made from. */
  readonly workflowHash: string;
  readonly inputs: InputSources;
  readonly trigger: Json;
  readonly host: NodeHost;
  readonly readFile: NonNullable<RunPorts['readFile']>;
}

export type Begun =
  | { readonly ok: true; readonly begin: RunBegin; readonly secretInputs: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/** What a run starts from, or why its inputs are refused: there is no run then. */
export async function beginRun({ plan, workflowHash, inputs, trigger, host, readFile }: RunStart): Promise<Begun> {
  const { given, problems } = gatherInputs(plan.inputs, inputs);
  const runId = host.newRunId();
  const run = { id: runId, startedAt: new Date(host.clock.now()).toISOString() };
  const prepared = await prepareInputs(plan, given, { vm: host.vm, run, readFile });
  if (prepared.ok && problems.length === 0) {
    const { inputs: admitted, context, secrets } = prepared;
    return { ok: true, begin: { runId, workflowHash, inputs: admitted, context, trigger }, secretInputs: secrets };
  }
  const named = new Set(problems.map(({ input }) => input));
  const refused = prepared.ok ? [] : prepared.problems.filter(({ input }) => !named.has(input));
  return {
    ok: false,
    problems: [...problems, ...refused.map(({ input, message }) => ({ input, message: `${subjectOf(input)} ${message}` }))],
  };
}

/** Of the workflow and of every file that it uses: the same texts, the same hash. */
export function workflowHash(texts: readonly SourceText[]): string {
  const hash = createHash('sha256');
  for (const { text } of texts) hash.update(`${text.length}:`).update(text);
  return `sha256-${hash.digest('hex')}`;
}

/** The engine names context entries `context.key` beside inputs, whose names hold no dot. */
function subjectOf(input: string): string {
  return input.startsWith('context.') ? `context "${input.slice('context.'.length)}"` : `input "${input}"`;
}
