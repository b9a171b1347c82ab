import { setTimeout as sleep } from 'node:timers/promises';
import { builtinTools, type Plan, prepareInputs, type RunPorts, startRun } from '@relavium/engine';
import { itemId, readItems, runItems } from '@relavium/host-node';
import { noInputs, planOf, runPorts } from '../../shared/run-ports.js';
import { judged } from '../figure.js';
import { callByCall } from '../measure.js';
import { itemStepsText } from '../sample-workflow.js';
import type { Section } from '../sections.js';

const ITEMS = 1_000;
const STEPS = 3;
const STEP_MS = 5;
const AT_ONCE = 64;

export const parts: Readonly<Record<string, Section>> = {
  items: async (report) => {
    const tools = builtinTools.map((tool) => ({ ...tool, dispatch: nap }));
    const ports = runPorts({ tools, host: { process: { run: unused } } });
    const plan = planOf(itemStepsText(STEPS));
    const { ours, bare } = await callByCall({ ours: () => batch(plan, ports, ITEMS), bare: barePool }, 5, 1);
    const ideal = (ITEMS * STEPS * STEP_MS) / AT_ONCE;
    const name = `${ITEMS} items × ${STEPS} × ${STEP_MS} ms at ${AT_ONCE}`;
    report(
      judged(
        { section: 'batch', name, value: ours.ms, unit: 'ms', against: 'ideal', ratio: ours.ms / ideal, spread: ours.spread },
        { atMost: 1.2 },
      ),
    );
    report(
      judged(
        { section: 'batch', name, value: ours.ms, unit: 'ms', against: 'bare pool', ratio: ours.ms / bare.ms, spread: bare.spread },
        undefined,
      ),
    );
  },

  memory: async (report) => {
    const ports = runPorts({});
    const plan = planOf(itemStepsText(0));
    const whole = await peak(
      () => batch(plan, ports, 100_000),
      () => process.memoryUsage.rss(),
    );
    const name = 'memory of the process, 100 000 items';
    report(judged({ section: 'batch', name, value: whole, unit: 'MiB' }, { atMost: 300 }));
    const few = await peak(() => batch(plan, ports, 20_000), heapInUse);
    const many = await peak(() => batch(plan, ports, 100_000), heapInUse);
    report(
      judged(
        { section: 'batch', name: 'heap in use, 100 000 items', value: many, unit: 'MiB', against: '20 000 items', ratio: many / few },
        { atMost: 1.1 },
      ),
    );
  },
};

async function nap(): Promise<{ exitCode: number; stdout: string; stderr: string; durationMs: number }> {
  await sleep(STEP_MS);
  return { exitCode: 0, stdout: '', stderr: '', durationMs: STEP_MS };
}

async function unused(): Promise<never> {
  throw new Error('the tools here do nothing');
}

/** As the command does it, but for the writing: items are read, admitted, run, and their rows put in order. */
async function batch(plan: Plan, ports: RunPorts, count: number): Promise<void> {
  let rows = 0;
  const { items } = await readItems(lines(count), 'jsonl');
  await runItems({
    items,
    concurrency: AT_ONCE,
    order: 'input',
    stop: new AbortController().signal,
    write: (text) => {
      rows += text.split('\n').length - 1;
    },
    run: async (item, index) => {
      if (item.kind !== 'json') throw new Error('a sample is no JSON');
      const given = JSON.parse(item.text);
      const runId = itemId(index, given);
      const prepared = await prepareInputs(plan, given, { vm: ports.vm, run: { id: runId, startedAt: '2026-01-01T00:00:00.000Z' } });
      if (!prepared.ok) throw new Error('a sample is refused');
      const begin = { ...noInputs, runId, inputs: prepared.inputs, context: prepared.context };
      const { status, outputs } = await startRun(plan, begin, ports).done;
      if (status !== 'succeeded') throw new Error(`a run ${status}`);
      return `${JSON.stringify({ index, runId, status, outputs })}\n`;
    },
  });
  if (rows !== count) throw new Error(`${rows} rows for ${count} items`);
}

async function* lines(count: number): AsyncGenerator<Uint8Array> {
  const together = 1_000;
  for (let from = 0; from < count; from += together) {
    const some = Array.from({ length: Math.min(together, count - from) }, (_, n) => `{"n":${from + n}}\n`);
    yield Buffer.from(some.join(''));
  }
}

async function barePool(): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < ITEMS) {
      next++;
      for (let step = 0; step < STEPS; step++) await sleep(STEP_MS);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function heapInUse(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed;
}

/** Most that there was of it while the work went on, in MiB. */
async function peak(work: () => Promise<void>, bytes: () => number): Promise<number> {
  let most = 0;
  const look = (): void => {
    most = Math.max(most, bytes());
  };
  const timer = setInterval(look, 50);
  await work();
  clearInterval(timer);
  look();
  return most / 2 ** 20;
}
