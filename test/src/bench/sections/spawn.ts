import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createNodeHost } from '@relavium/host-node';
import { callOf, withFolder } from '../../shared/host-call.js';
import { judged } from '../figure.js';
import { notMeasured } from '../installed.js';
import { callByCall } from '../measure.js';
import type { Section } from '../sections.js';

const GIB = 1024 ** 3;
const COMMANDS = 200;

/** `true`, with both outputs read, from a process that is small, and from one that holds a GiB. */
export const parts: Readonly<Record<string, Section>> = {
  small: async (report) => {
    await withFolder(async (folder) => {
      const run = runTrue(folder);
      const { ours, bare } = await callByCall({ ours: run, bare: bareTrue }, 101, 10);
      const figure = { section: 'spawn', name: 'a command from a small process', value: ours.ms, unit: 'ms', spread: ours.spread } as const;
      report(judged({ ...figure, against: 'bare spawn with pipes', ratio: ours.ms / bare.ms }, { atMost: 1.3 }));
    });
  },

  /** Where GNU parallel is installed. One at a time, as in the rows around. */
  many: async (report) => {
    if (spawnSync('parallel', ['--version']).status !== 0) return notMeasured('GNU parallel', 'apt-get install parallel');
    await withFolder(async (folder) => {
      const run = runTrue(folder);
      const works = {
        ours: () => repeated(run, COMMANDS),
        parallel: () => void spawnSync('parallel', ['-j1', 'true', ':::', ...Array.from({ length: COMMANDS }, (_, n) => String(n))]),
      };
      const { ours, parallel } = await callByCall(works, 7, 1);
      const figure = { section: 'spawn', name: `${COMMANDS} commands`, value: ours.ms, unit: 'ms', spread: ours.spread } as const;
      report(judged({ ...figure, against: 'GNU parallel', ratio: ours.ms / parallel.ms }, { atMost: 0.5 }));
    });
  },

  large: async (report) => {
    await withFolder(async (folder) => {
      const run = runTrue(folder);
      const small = (await callByCall({ ours: run }, 101, 100)).ours;
      const held = Buffer.alloc(GIB, 1);
      // The program that starts others for a large process is ready soon after the first command that needs it.
      await run();
      await sleep(500);
      // Not in turn: each bare start copies the tables of a GiB of memory, and what comes after it finds no cache warm.
      const large = (await callByCall({ ours: run }, 101, 100)).ours;
      const { bare } = await callByCall({ bare: bareTrue }, 15, 1);
      if (held.length !== GIB) throw new Error('the memory was to be held');
      const figure = {
        section: 'spawn',
        name: 'a command with 1 GiB held',
        value: large.ms,
        unit: 'ms',
        spread: large.spread,
      } as const;
      report(judged({ ...figure, against: 'the same with nothing held', ratio: large.ms / small.ms }, { atMost: 1.3 }));
      report(judged({ ...figure, against: 'bare spawn with 1 GiB held', ratio: large.ms / bare.ms }, undefined));
    });
  },
};

async function repeated(work: () => Promise<void>, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await work();
}

function runTrue(folder: string): () => Promise<void> {
  const { process: programs } = createNodeHost({ workspace: folder }).tools;
  return async () => {
    const { exitCode } = await programs!.run({ command: 'true', args: [], env: {}, maxOutputBytes: 1 << 20 }, callOf());
    if (exitCode !== 0) throw new Error('true is false');
  };
}

function bareTrue(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/true', [], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    child.on('error', reject).on('close', () => resolve());
  });
}
