import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchFiles } from '@relavium/host-node';
import { judged } from '../figure.js';
import type { Section } from '../sections.js';

const FOLDERS = 100;
const FILES_IN_EACH = 100;
const DEBOUNCE_MS = 100;
const WRITES = 30;

export const parts: Readonly<Record<string, Section>> = {
  /** A workflow that names one file, in a tree of 10 000. */
  one: (report) => measured('one named file', 1, report),
  /** One that names a file in each folder. */
  hundred: (report) => measured('a named file in each of 100 folders', FOLDERS, report),
};

async function measured(what: string, named: number, report: Parameters<Section>[0]): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'relavium-bench-watch-'));
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(tree, `d${folder}`));
    for (let file = 0; file < FILES_IN_EACH; file++) writeFileSync(join(tree, `d${folder}/f${file}.txt`), 'x');
  }
  const files = Array.from({ length: named }, (_, n) => join(tree, `d${n}/f0.txt`));
  const before = memory();
  const start = performance.now();
  let told: () => void = () => {};
  const watch = watchFiles({ targets: { files, globs: [] }, debounceMs: DEBOUNCE_MS, onChange: () => told(), onProblem: () => {} });
  await watch.begun;
  const ready = performance.now() - start;
  const added = memory() - before;
  await watch.quiet();
  const late: number[] = [];
  for (let write = 0; write < WRITES; write++) {
    const change = new Promise<void>((resolve) => {
      told = resolve;
    });
    const at = performance.now();
    writeFileSync(files[(write * 7) % named]!, `change ${write}`);
    await change;
    late.push(performance.now() - at - DEBOUNCE_MS);
    await sleep(60);
  }
  await watch.close();
  rmSync(tree, { recursive: true });
  const p95 = late.sort((a, b) => a - b)[Math.ceil(WRITES * 0.95) - 1]!;
  const section = 'watch';
  report(judged({ section, name: `ready, ${what}, 10 000 files`, value: ready, unit: 'ms' }, { atMost: 50 }));
  report(judged({ section, name: `memory, ${what}`, value: added, unit: 'MiB' }, { atMost: 10 }));
  report(judged({ section, name: `write to change beyond debounce, p95, ${what}`, value: p95, unit: 'ms' }, { atMost: 20 }));
}

function memory(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage.rss() / 2 ** 20;
}
