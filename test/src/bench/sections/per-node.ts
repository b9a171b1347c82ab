import { startRun } from '@relavium/engine';
import PQueue from 'p-queue';
import { noInputs, planOf, runPorts } from '../../shared/run-ports.js';
import { bareChain, bareFan, runBare } from '../bare.js';
import { judged } from '../figure.js';
import { sideBySide } from '../measure.js';
import { chainText, fanText } from '../sample-workflow.js';
import type { Section } from '../sections.js';

/** Events are delivered, as they are in every run that somebody watches. */
export const section: Section = async (report) => {
  const shapes = [
    { shape: 'chain', text: chainText, bare: bareChain, queue: queueChain },
    { shape: 'fan', text: fanText, bare: bareFan, queue: queueFan },
  ] as const;
  for (const { shape, text, bare, queue } of shapes) {
    const perNode = new Map<number, number>();
    for (const size of [100, 1000, 10_000]) {
      const plan = planOf(text(size));
      const graph = bare(size);
      let events = 0;
      const ours = async (): Promise<void> => {
        const { status } = await startRun(plan, noInputs, runPorts({}), { onEvent: () => events++ }).done;
        if (status !== 'succeeded') throw new Error(`the run ${status}`);
      };
      const measured = await sideBySide(
        { ours, queue: () => queue(size), bare: () => runBare(graph) },
        { passes: size === 10_000 ? 3 : 7, passMs: 20 },
      );
      const us = (key: 'ours' | 'queue' | 'bare'): number => (measured[key].ms * 1000) / size;
      perNode.set(size, us('ours'));
      const base = {
        section: 'per-node',
        name: `${shape} of ${size}`,
        value: us('ours'),
        unit: 'µs',
        spread: measured.ours.spread,
      } as const;
      report(judged({ ...base, against: 'p-queue 64', ratio: us('ours') / us('queue') }, size === 1000 ? { atMost: 5 } : undefined));
      report(judged({ ...base, against: 'bare DAG loop', ratio: us('ours') / us('bare') }, undefined));
      if (size === 10_000) {
        report(judged({ section: 'per-node', name: `${shape} of 10 000, whole`, value: measured.ours.ms, unit: 'ms' }, { atMost: 1000 }));
        const growth = perNode.get(10_000)! / perNode.get(100)!;
        report(
          judged(
            {
              section: 'per-node',
              name: `${shape}, a node at 10 000`,
              value: us('ours'),
              unit: 'µs',
              against: 'a node at 100',
              ratio: growth,
            },
            { atMost: 1.5 },
          ),
        );
      }
      if (events === 0) throw new Error('no event was delivered');
    }
  }
  report(
    judged({ section: 'per-node', name: 'peak memory of all of it', value: process.resourceUsage().maxRSS / 1024, unit: 'MiB' }, undefined),
  );
};

async function step(value: number): Promise<number> {
  return value + 1;
}

async function queueChain(length: number): Promise<void> {
  const queue = new PQueue({ concurrency: 64 });
  let value = 0;
  for (let n = 0; n < length; n++) value = await queue.add(() => step(value));
}

async function queueFan(width: number): Promise<void> {
  const queue = new PQueue({ concurrency: 64 });
  await queue.addAll(Array.from({ length: width }, (_, n) => () => step(n)));
}
