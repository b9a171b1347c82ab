import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FileSystem } from '@relavium/engine';
import { createNodeHost } from '@relavium/host-node';
import { randomOf } from '../shared/random.js';
import type { ChaosCounts, ChaosRequest } from './main.js';

const SECRET = 'NOT-FOR-TOOLS';

/** A folder and a file are swapped for links that lead outside, again and again, while tools work on them: nothing outside is read or written. */
export async function chaosRaces({ runs, seed }: ChaosRequest): Promise<ChaosCounts> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'races-')));
  const workspace = join(base, 'ws');
  const outside = join(base, 'outside');
  for (const folder of [join(workspace, 'folder'), outside]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(workspace, 'folder', 'file.txt'), 'inside');
  writeFileSync(join(workspace, 'plain.txt'), 'inside');
  writeFileSync(join(outside, 'file.txt'), SECRET);
  const swapper = new Worker(fileURLToPath(new URL('./swapper.js', import.meta.url)), { workerData: { workspace, outside } });
  const counts = { outside: 0, stuck: 0 };
  try {
    await new Promise((resolve) => swapper.once('message', resolve));
    const fs = createNodeHost({ workspace, environment: process.env }).tools.fs!;
    const random = randomOf(seed);
    const names = new Set(readdirSync(outside));
    for (let run = 0; run < runs; run++) {
      const seen = await attempt(
        fs,
        random.pick(['read', 'glob', 'write', 'append', 'list']),
        random.pick(['folder/file.txt', 'plain.txt']),
      );
      const isChanged = readFileSync(join(outside, 'file.txt'), 'utf8') !== SECRET || readdirSync(outside).some((name) => !names.has(name));
      if (seen.includes(SECRET) || isChanged) counts.outside++;
      if (isChanged) restore(outside, names);
      if (run % 16 === 0) await turn();
    }
  } finally {
    await swapper.terminate();
    rmSync(base, { recursive: true, force: true });
  }
  return counts;
}

/** What a tool shows of a path: a refusal shows nothing. */
async function attempt(fs: FileSystem, operation: string, path: string): Promise<string> {
  const call = { node: 'chaos', attempt: 1, signal: new AbortController().signal };
  try {
    switch (operation) {
      case 'read':
        return (await fs.read({ path, maxBytes: 1_000 }, call)).content;
      case 'glob':
        return (await fs.readGlob({ path: '**/*.txt', maxBytes: 1_000 }, call)).files.map((file) => file.content).join('\n');
      case 'list':
        return JSON.stringify(await fs.list({ path: 'folder', recursive: true, maxEntries: 100 }, call));
      default:
        await fs.write({ path, content: 'written', append: operation === 'append', createParents: false }, call);
        return '';
    }
  } catch {
    return '';
  }
}

function restore(outside: string, names: ReadonlySet<string>): void {
  for (const name of readdirSync(outside)) if (!names.has(name)) rmSync(join(outside, name), { recursive: true });
  writeFileSync(join(outside, 'file.txt'), SECRET);
}
