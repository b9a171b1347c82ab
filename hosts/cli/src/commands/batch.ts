import { builtinTools, compile, type Plan } from '@relavium/engine';
import type { ItemText } from '@relavium/host-node';
import { type ChosenColumns, chooseColumns } from '../batch/choose-columns.js';
import { type OpenedItems, openItems } from '../batch/open-items.js';
import { openRows } from '../batch/open-rows.js';
import { type PlannedBatch, runBatch } from '../batch/run-batch.js';
import type { Cli } from '../cli.js';
import { exitCode } from '../exit-code.js';
import { parseJson } from '../inputs/parse-json.js';
import { done, type Outcome, problem, refuse } from '../problem.js';
import { findWorkflow } from '../project/find-workflow.js';
import { openProject } from '../project/open-project.js';
import { type AgentFlags, agentSettings, withMaxCost } from '../run/agent-settings.js';
import { type Grants, openHost } from '../run/open-host.js';
import { whatAsks } from '../run/what-asks.js';
import { reportDiagnostics } from './report-diagnostics.js';

export interface BatchCommandOptions extends Grants, AgentFlags {
  readonly items: string;
  readonly map?: readonly string[];
  readonly concurrency?: number;
  readonly out?: string;
  readonly unordered?: boolean;
  readonly maxFailures?: number;
}

/** Items in progress where nobody says how many. */
const CONCURRENCY = 8;

/** Compiles a workflow once and runs it for each item. */
export async function batch(cli: Cli, named: string, options: BatchCommandOptions): Promise<number> {
  const project = openProject(cli);
  const source = findWorkflow(cli, project, named);
  if (!source.ok) return refuse(cli, source.problem);
  const compiled = compile(source.value, { reader: project.reader, tools: builtinTools });
  reportDiagnostics(cli, compiled, compiled.plan === undefined);
  if (compiled.plan === undefined) return exitCode.refused;
  const plan = withMaxCost(compiled.plan, options.maxCost);
  const asking = whatAsks(plan);
  if (asking !== undefined) {
    return refuse(cli, {
      message: `${asking}, and nobody can answer for each item of a batch`,
      next: 'Runs are not kept yet, so none could wait for an answer. Use relavium run, or a workflow without a gate.',
    });
  }
  const host = openHost(cli, project, options);
  if (!host.ok) return refuse(cli, host.problem);
  const agents = await agentSettings(cli, project, plan, options);
  if (!agents.ok) return refuse(cli, agents.problem);
  const items = await openItems(cli, options.items);
  if (!items.ok) return refuse(cli, items.problem);
  try {
    return await runOpened(cli, { plan, sources: compiled.sources, host: host.value, agents: agents.value, opened: items.value }, options);
  } finally {
    items.value.close();
  }
}

interface Prepared extends Pick<PlannedBatch, 'plan' | 'sources' | 'host' | 'agents'> {
  readonly opened: OpenedItems;
}

async function runOpened(cli: Cli, { opened, ...prepared }: Prepared, options: BatchCommandOptions): Promise<number> {
  const looked = await lookAhead(cli, prepared.plan, opened, options.map ?? []);
  if (!looked.ok) return refuse(cli, looked.problem);
  const rows = openRows(cli, options.out, [...prepared.sources.map(({ path }) => path), options.items]);
  if (!rows.ok) return refuse(cli, rows.problem);
  return runBatch(cli, {
    ...prepared,
    ...looked.value,
    shown: opened.shown,
    ...(opened.size === undefined ? {} : { size: opened.size }),
    rows: rows.value,
    order: options.unordered === true ? 'ended' : 'input',
    concurrency: options.concurrency ?? CONCURRENCY,
    maxFailures: options.maxFailures ?? Number.POSITIVE_INFINITY,
  });
}

interface Looked {
  readonly items: AsyncIterable<ItemText>;
  readonly columns: ChosenColumns;
  readonly header?: readonly string[];
}

/** Judges the columns by the header, or by the first item, before anything runs. */
async function lookAhead(cli: Cli, plan: Plan, opened: OpenedItems, maps: readonly string[]): Promise<Outcome<Looked>> {
  const { items, format, shown } = opened;
  const reading = items[Symbol.asyncIterator]();
  const first = await reading.next();
  const item = first.done === true ? undefined : first.value;
  if (item?.kind === 'broken') return problem(`${shown} cannot be read: ${item.message}`);
  const isTable = format === 'csv';
  if (isTable && item === undefined) return problem(`${shown} is empty`, 'The first line of a CSV file names its columns.');
  const columns = item?.kind === 'cells' ? item.cells : item?.kind === 'json' ? keysOf(item.text) : undefined;
  const chosen = chooseColumns({
    declared: plan.inputs,
    maps,
    ...(columns === undefined ? {} : { columns }),
    isTable,
    shown,
    env: cli.env,
  });
  if (!chosen.ok) return chosen;
  const rest: AsyncIterable<ItemText> = { [Symbol.asyncIterator]: () => reading };
  if (item?.kind === 'cells') return done({ items: rest, columns: chosen.value, header: item.cells });
  return done({ items: item === undefined ? rest : withFirst(item, rest), columns: chosen.value });
}

/** `undefined` where the first item is no object: it fails by itself, as any other item does. */
function keysOf(text: string): readonly string[] | undefined {
  const parsed = parseJson(text, 'the item');
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) return undefined;
  return Object.keys(parsed.value);
}

async function* withFirst(first: ItemText, rest: AsyncIterable<ItemText>): AsyncGenerator<ItemText> {
  yield first;
  yield* rest;
}
