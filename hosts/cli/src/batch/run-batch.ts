import {
  builtinTools,
  createRegistry,
  type Json,
  type NodeError,
  type Plan,
  type RunResult,
  type SourceText,
  showControls,
  startRun,
} from '@relavium/engine';
import { type ItemText, itemId, type NodeHost, runItems } from '@relavium/host-node';
import type { Cli } from '../cli.js';
import { exitCode, signalExitCode } from '../exit-code.js';
import type { InputProblem } from '../inputs/gather-inputs.js';
import { writeRecord } from '../render/write-data.js';
import type { AgentSettings } from '../run/agent-settings.js';
import { beginRun, workflowHash } from '../run/begin-run.js';
import { cancelOnSignals } from '../run/cancel-on-signals.js';
import { openRunPorts } from '../run/run-ports.js';
import { templateFiles } from '../run/template-files.js';
import type { ChosenColumns } from './choose-columns.js';
import { itemValues } from './item-values.js';
import type { Rows } from './open-rows.js';
import { type BatchProgress, progressLine } from './progress-line.js';
import { showProgress } from './show-progress.js';
import { summaryLines } from './summary-lines.js';
import { createTally } from './tally.js';

export interface PlannedBatch {
  readonly plan: Plan;
  readonly sources: readonly SourceText[];
  readonly host: NodeHost;
  readonly agents: AgentSettings | undefined;
  readonly items: AsyncIterable<ItemText>;
  /** What messages call the source of the items. */
  readonly shown: string;
  /** Of the source, in bytes. */
  readonly size?: number;
  readonly columns: ChosenColumns;
  /** Of a CSV file. */
  readonly header?: readonly string[];
  readonly rows: Rows;
  readonly order: 'input' | 'ended';
  readonly concurrency: number;
  /** With so many failed items no further one begins. */
  readonly maxFailures: number;
}

/** Runs the workflow once for each item, says how it went, and gives the exit code. */
export async function runBatch(cli: Cli, batch: PlannedBatch): Promise<number> {
  const { plan, host, rows } = batch;
  const begunAt = performance.now();
  const tally = createTally();
  const read = readingOf(batch);
  const elapsed = (): number => performance.now() - begunAt;
  const progress = showProgress(cli, () => progressLine({ tally, elapsedMs: elapsed(), ...read.total() }));

  const stop = new AbortController();
  const running = new Set<ReturnType<typeof startRun>>();
  // Before anything starts: a signal that nobody listens for would end this process and leave its children behind.
  const signals = cancelOnSignals(
    () => {
      stop.abort();
      for (const handle of running) handle.cancel();
    },
    { say: progress.say, close: progress.close, event: () => {}, hold: () => () => {} },
  );
  let lost: string | undefined;
  const hash = workflowHash(batch.sources);
  const readFile = templateFiles(createRegistry({ tools: builtinTools, host: host.tools, policy: plan.policy }), host);

  const run = async (text: Exclude<ItemText, { kind: 'broken' }>, index: number): Promise<string | undefined> => {
    if (stop.signal.aborted) return undefined;
    tally.begin();
    const { item, given, problems } = itemValues(text, batch.columns, batch.header);
    const id = itemId(index, item);
    const refuse = (refused: readonly InputProblem[]): string => end({ index, id, runId: null, status: 'failed', error: refusal(refused) });
    if (problems.some(({ input }) => input === undefined)) return refuse(problems);
    const begun = await beginRun({
      plan,
      workflowHash: hash,
      inputs: { assignments: [], document: given, env: cli.env },
      trigger: { type: 'batch', index, id },
      host,
      readFile,
    });
    if (problems.length > 0 || !begun.ok) {
      // What could not be converted was not given, and need not be missed as well.
      const missed = begun.ok ? [] : begun.problems.filter((found) => !problems.some(({ input }) => input === found.input));
      return refuse([...problems, ...missed]);
    }
    const { ports, close } = openRunPorts(host, batch, begun.secretInputs, batch.agents);
    const handle = startRun(plan, begun.begin, ports, {
      ...(cli.json
        ? {
            onEvent: (event) => writeRecord(cli.out, event),
            onStream: (event) => writeRecord(cli.out, event),
            onText: (event) => writeRecord(cli.out, event),
          }
        : {}),
    });
    running.add(handle);
    if (stop.signal.aborted && signals.received !== undefined) handle.cancel();
    let result: RunResult;
    try {
      result = await handle.done;
    } finally {
      running.delete(handle);
      close();
    }
    const { status, outputs, error } = result;
    if (status === 'waiting') throw new Error('a run of a batch waits, though nothing parks it');
    return end({
      index,
      id,
      runId: begun.begin.runId,
      status,
      ...(status === 'succeeded' ? { outputs } : {}),
      ...(error === undefined ? {} : { error }),
    });
  };

  const end = (row: Row): string => {
    tally.end(row.status, row.index, row.error);
    if (tally.failed >= batch.maxFailures) stop.abort();
    return `${JSON.stringify(row)}\n`;
  };

  try {
    await runItems({
      items: read.items,
      concurrency: batch.concurrency,
      order: batch.order,
      run,
      write: (text) => {
        progress.clear();
        lost ??= rows.write(text);
        if (lost !== undefined) stop.abort();
      },
      stop: stop.signal,
    });
  } finally {
    signals.stop();
    progress.close();
    rows.close();
  }

  const tell = (text: string): void => {
    if (!cli.json) cli.err.line(text);
  };
  if (!cli.quiet || tally.failed > 0) for (const line of summaryLines(tally, elapsed(), cli.err.paint)) tell(line);
  if (tally.failed >= batch.maxFailures && !read.hasEnded())
    tell(`stopped at ${tally.failed} failed (--max-failures ${batch.maxFailures}): no further item was begun`);
  if (lost !== undefined)
    cli.err.line(`error: a row could not be written (${lost}); the rows before it are whole, and no further item was begun`);
  const broken = read.broken();
  if (broken !== undefined) {
    cli.err.line(`error: ${showControls(`${batch.shown} cannot be read to its end: ${broken}`)}`);
    cli.err.line('  The items before that place were run; those behind it were not.');
  }
  if (signals.received !== undefined) return signalExitCode[signals.received];
  return tally.failed + tally.cancelled > 0 || broken !== undefined || lost !== undefined ? exitCode.failed : exitCode.done;
}

/** What `--out` holds, a line an item. */
interface Row {
  /** Position of the item, counted from 0. */
  readonly index: number;
  readonly id: string;
  /** Null where the item was refused: there was no run. */
  readonly runId: string | null;
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly outputs?: { readonly [key: string]: Json };
  readonly error?: NodeError;
}

/** Refused inputs in the shape of a run's error, so that a reader of rows knows one kind. */
function refusal(problems: readonly InputProblem[]): NodeError {
  return {
    code: 'validation',
    message: problems.map(({ message }) => message).join('; '),
    node: '',
    path: '',
    details: { inputs: problems.flatMap(({ input }) => input ?? []) },
    attempt: 1,
  };
}

interface Reading {
  readonly items: AsyncIterable<Exclude<ItemText, { kind: 'broken' }>>;
  /** What stands where the items cannot be read any further. */
  broken(): string | undefined;
  hasEnded(): boolean;
  total(): Pick<BatchProgress, 'total'>;
}

/** Counts what is read, for an estimate of what is to come. */
function readingOf({ items, size, header }: PlannedBatch): Reading {
  let count = 0;
  let bytes = 0;
  let isAtEnd = false;
  let broken: string | undefined;
  async function* counted(): AsyncGenerator<Exclude<ItemText, { kind: 'broken' }>> {
    for await (const item of items) {
      if (item.kind === 'broken') {
        broken = item.message;
        return;
      }
      count++;
      bytes = item.bytes;
      yield item;
    }
    isAtEnd = true;
  }
  // The header is no item, though it takes its place in the file.
  const lines = (): number => count + (header === undefined ? 0 : 1);
  return {
    items: counted(),
    broken: () => broken,
    hasEnded: () => isAtEnd,
    total: () => {
      if (isAtEnd) return { total: { count, isExact: true } };
      if (size === undefined || bytes === 0) return {};
      const estimate = Math.round((size / bytes) * lines()) - (lines() - count);
      return { total: { count: Math.max(count, estimate), isExact: false } };
    },
  };
}
