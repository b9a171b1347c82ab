import { builtinTools, startRun } from '@relavium/engine';
import { noInputs, planOf, runPorts } from '../../shared/run-ports.js';
import { bareFan, runBare } from '../bare.js';
import { judged } from '../figure.js';
import { sideBySide } from '../measure.js';
import { loopText, toolFanText } from '../sample-workflow.js';
import type { Section } from '../sections.js';

export const section: Section = async (report) => {
  const tools = builtinTools.map((tool) => ({ ...tool, dispatch: async () => ({ exitCode: 0, stdout: '', stderr: '', durationMs: 0 }) }));
  const wide = planOf(toolFanText(10_000));
  const bare = bareFan(10_000);
  const run = async (plan: typeof wide): Promise<void> => {
    const { status } = await startRun(plan, noInputs, runPorts({ tools })).done;
    if (status !== 'succeeded') throw new Error(`the run ${status}`);
  };
  const measured = await sideBySide({ ours: () => run(wide), bare: () => runBare(bare) }, { passes: 3, passMs: 1 });
  const { ours } = measured;
  report(
    judged(
      {
        section: 'fan-out',
        name: '10 000 tool calls, 64 at once',
        value: ours.ms / 10,
        unit: 'µs a node',
        against: 'bare DAG loop',
        ratio: ours.ms / measured.bare.ms,
        spread: ours.spread,
      },
      undefined,
    ),
  );

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
};

/** Most that the heap held above what it held before, in MiB, looked at while the work goes on. */
async function peakHeap(work: () => Promise<void>): Promise<number> {
  const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
  collect();
  const idle = process.memoryUsage().heapUsed;
  let peak = 0;
  const look = setInterval(() => {
    collect();
    peak = Math.max(peak, process.memoryUsage().heapUsed - idle);
  }, 100);
  await work();
  clearInterval(look);
  collect();
  return Math.max(peak, process.memoryUsage().heapUsed - idle) / 2 ** 20;
}
