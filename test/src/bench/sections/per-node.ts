import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Plan, startRun } from '@relavium/engine';
import PQueue from 'p-queue';
import { noInputs, planOf, runPorts } from '../../shared/run-ports.js';
import { bareChain, bareFan, runBare } from '../bare.js';
import { judged } from '../figure.js';
import { installed } from '../installed.js';
import { callByCall, sideBySide } from '../measure.js';
import { chainText, fanText } from '../sample-workflow.js';
import type { Section } from '../sections.js';

const shapes = {
  chain: { text: chainText, bare: bareChain, queue: queueChain },
  fan: { text: fanText, bare: bareFan, queue: queueFan },
} as const;

type Shape = keyof typeof shapes;

/** Engines that people would take instead, and the share of their time that ours may need. */
const peers = {
  'LangGraph JS': { module: 'langgraph.mjs', atMost: 0.02 },
  Mastra: { module: 'mastra.mjs', atMost: 0.025 },
} as const;

/** A run is in memory, its events are delivered, and its nodes are plain-path transforms. */
export const parts: Readonly<Record<string, Section>> = {
  'chain 100': beside('chain', 100),
  'chain 1000': beside('chain', 1000, 5),
  'chain 10000': beside('chain', 10_000),
  'fan 100': beside('fan', 100),
  'fan 1000': beside('fan', 1000, 5),
  'fan 10000': beside('fan', 10_000),
  'chain peers': besidePeers('chain', 1000),
  'fan peers': besidePeers('fan', 1000),
  'chain flat': flat('chain'),
  'fan flat': flat('fan'),
  'chain whole': whole('chain'),
  'fan whole': whole('fan'),
};

function beside(shape: Shape, size: number, atMost?: number): Section {
  return async (report) => {
    const { text, bare, queue } = shapes[shape];
    const ours = running(text(size));
    const graph = bare(size);
    // Warmed up on both sides: a process that runs one small workflow pays for loading, which `cold-start` shows.
    const works = { ours, queue: () => queue(size), bare: () => runBare(graph) };
    const measured = size === 10_000 ? await callByCall(works, 5, 3) : await sideBySide(works, { passes: 9, passMs: 200 });
    const us = (key: keyof typeof measured): number => (measured[key].ms * 1000) / size;
    const figure = {
      section: 'per-node',
      name: `${shape} of ${size}`,
      value: us('ours'),
      unit: 'µs',
      spread: measured.ours.spread,
    } as const;
    report(judged({ ...figure, against: 'p-queue 64', ratio: us('ours') / us('queue') }, atMost === undefined ? undefined : { atMost }));
    report(judged({ ...figure, against: 'bare DAG loop', ratio: us('ours') / us('bare') }, undefined));
  };
}

function besidePeers(shape: Shape, size: number): Section {
  return async (report) => {
    const ours = running(shapes[shape].text(size));
    // A call of a peer's takes a hundred of ours, which alone would leave ours cold.
    await repeated(ours, 20)();
    for (const [peer, { module, atMost }] of Object.entries(peers)) {
      const graphs = await installed<Peer>(
        peer,
        new URL(`../../../bench/peers/${module}`, import.meta.url),
        'npm ci --prefix test/bench/peers',
      );
      if (graphs === undefined) continue;
      const measured = await callByCall({ ours, peer: graphs.shapes[shape](size) }, 5, 2);
      const value = (measured.ours.ms * 1000) / size;
      const figure = { section: 'per-node', name: `${shape} of ${size}`, value, unit: 'µs', spread: measured.ours.spread } as const;
      report(judged({ ...figure, against: peer, ratio: measured.ours.ms / measured.peer.ms }, { atMost }));
    }
  };
}

interface Peer {
  readonly shapes: Readonly<Record<Shape, (size: number) => () => Promise<void>>>;
}

/** Whether a node costs more in a large graph than in a small one. */
function flat(shape: Shape): Section {
  return async (report) => {
    const { text } = shapes[shape];
    const measured = await callByCall({ small: repeated(running(text(100)), 100), large: running(text(10_000)) }, 5, 1);
    const value = measured.large.ms / 10;
    const ratio = measured.large.ms / measured.small.ms;
    const figure = {
      section: 'per-node',
      name: `${shape}, a node of 10 000`,
      value,
      unit: 'µs',
      against: 'a node of 100',
      ratio,
      spread: measured.large.spread,
    };
    report(judged(figure, { atMost: 1.5 }));
  };
}

/** A process that runs one large graph, whose plan another one has made, and nothing else. */
function whole(shape: Shape): Section {
  return async (report) => {
    const run = runningPlan(planOfOtherProcess(shapes[shape].text(10_000)));
    const start = performance.now();
    await run();
    const name = `${shape} of 10 000`;
    const ms = performance.now() - start;
    report(judged({ section: 'per-node', name: `${name}, first run`, value: ms, unit: 'ms' }, { atMost: 1000 }));
    const peak = process.resourceUsage().maxRSS / 1024;
    report(judged({ section: 'per-node', name: `${name}, peak memory`, value: peak, unit: 'MiB' }, { atMost: 150 }));
  };
}

/** Compiling takes more memory than running does, and a process cannot forget its peak. */
function planOfOtherProcess(text: string): Plan {
  const script = fileURLToPath(new URL('../print-plan.js', import.meta.url));
  const printed = execFileSync(process.execPath, [script], { input: text, encoding: 'utf8', maxBuffer: 1 << 28 });
  return JSON.parse(printed) as Plan;
}

function running(text: string): () => Promise<void> {
  return runningPlan(planOf(text));
}

function runningPlan(plan: Plan): () => Promise<void> {
  return async () => {
    let events = 0;
    const { status } = await startRun(plan, noInputs, runPorts({}), { onEvent: () => events++ }).done;
    if (status !== 'succeeded' || events < plan.root.nodes.length) throw new Error(`the run ${status} with ${events} events`);
  };
}

function repeated(work: () => Promise<void>, times: number): () => Promise<void> {
  return async () => {
    for (let time = 0; time < times; time++) await work();
  };
}

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
