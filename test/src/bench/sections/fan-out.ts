import { builtinTools, type Plan, startRun } from '@relavium/engine';
import { noInputs, planOf, runPorts } from '../../shared/run-ports.js';
import { bareFan, runBare } from '../bare.js';
import { judged } from '../figure.js';
import { callByCall } from '../measure.js';
import { loopText, toolFanText } from '../sample-workflow.js';
import type { Section } from '../sections.js';

export const parts: Readonly<Record<string, Section>> = {
  wide: async (report) => {
    const plan = planOf(toolFanText(10_000));
    const bare = bareFan(10_000);
    const { ours, loop } = await callByCall({ ours: () => run(plan), loop: () => runBare(bare) }, 5, 1);
    const value = ours.ms / 10;
    const ratio = ours.ms / loop.ms;
    report(
      judged(
        {
          section: 'fan-out',
          name: '10 000 tool calls, 64 at once',
          value,
          unit: 'µs',
          against: 'bare DAG loop',
          ratio,
          spread: ours.spread,
        },
        undefined,
      ),
    );
  },

  items: async (report) => {
    const few = await peakHeap(() => run(planOf(loopText(10_000))));
    const many = await peakHeap(() => run(planOf(loopText(100_000))));
    report(
      judged(
        {
          section: 'fan-out',
          name: 'heap above idle, loop of 100 000 items',
          value: many,
          unit: 'MiB',
          against: 'one of 10 000',
          ratio: many / few,
        },
        undefined,
      ),
    );
  },
};

const tools = builtinTools.map((tool) => ({ ...tool, dispatch: async () => ({ exitCode: 0, stdout: '', stderr: '', durationMs: 0 }) }));

async function run(plan: Plan): Promise<void> {
  const { status, error } = await startRun(plan, noInputs, runPorts({ tools, host: { process: { run: unused } } })).done;
  if (status !== 'succeeded') throw new Error(`the run ${status}: ${error?.message}`);
}

async function unused(): Promise<never> {
  throw new Error('the tools here do nothing');
}

/** Most that the heap held above what it held before, in MiB, looked at while the work goes on. */
async function peakHeap(work: () => Promise<void>): Promise<number> {
  const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
  collect();
  const idle = process.memoryUsage().heapUsed;
  let peak = 0;
  const look = (): void => {
    collect();
    peak = Math.max(peak, process.memoryUsage().heapUsed - idle);
  };
  const timer = setInterval(look, 100);
  await work();
  clearInterval(timer);
  look();
  return peak / 2 ** 20;
}
