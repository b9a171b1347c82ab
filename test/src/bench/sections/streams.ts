import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '@relavium/engine';
import { createNodeHost, type NodeHost } from '@relavium/host-node';
import { callOf, withFolder } from '../../shared/host-call.js';
import { judged } from '../figure.js';
import type { Section } from '../sections.js';

const GIB = 1024 ** 3;
const LINE = `${'x'.repeat(63)}\n`;
const CHUNK = Buffer.from(LINE.repeat(1 << 18));
const LINES = GIB / LINE.length;
const TARGET = { atMost: 200 } as const;

/** The largest memory of the process above what it holds when idle, while a tool meets a source of some GiB. */
export const parts: Readonly<Record<string, Section>> = {
  'read lines': file('lines at the end of 1 GiB of text', (host) =>
    host.tools.fs!.read({ path: 'large', startLine: LINES - 1, lineCount: 2, maxBytes: 8 << 20 }, callOf()),
  ),
  'read bytes': file('bytes at the end of 1 GiB of text', (host) =>
    host.tools.fs!.read({ path: 'large', startByte: GIB - 1000, byteCount: 1000, maxBytes: 8 << 20 }, callOf()),
  ),
  'read whole': file('1 GiB of text as a whole, which is refused', async (host) => {
    const refused = await host.tools.fs!.read({ path: 'large', maxBytes: 8 << 20 }, callOf()).catch((error: unknown) => error);
    if (!(refused instanceof HostError) || refused.reason !== 'too_large') throw new Error('the file was to be refused');
  }),
  command: async (report) => {
    await withFolder(async (folder) => {
      const { process: programs } = createNodeHost({ workspace: folder }).tools;
      const size = String(2 * GIB);
      const run = () => programs!.run({ command: 'head', args: ['-c', size, '/dev/zero'], env: {}, maxOutputBytes: 1 << 20 }, callOf());
      const value = await above(async () => {
        const { truncated } = await run();
        if (truncated !== true) throw new Error('the output was to be cut');
      });
      report(judged({ section: 'streams', name: 'a command that prints 2 GiB', value, unit: 'MiB' }, TARGET));
    });
  },
};

function file(name: string, read: (host: NodeHost) => Promise<unknown>): Section {
  return async (report) => {
    await withFolder(async (folder) => {
      const handle = openSync(join(folder, 'large'), 'w');
      for (let chunk = 0; chunk < GIB / CHUNK.length; chunk++) writeSync(handle, CHUNK);
      closeSync(handle);
      const host = createNodeHost({ workspace: folder });
      report(judged({ section: 'streams', name, value: await above(async () => void (await read(host))), unit: 'MiB' }, TARGET));
    });
  };
}

async function above(work: () => Promise<void>): Promise<number> {
  const idle = process.memoryUsage.rss();
  let peak = idle;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  try {
    await work();
    peak = Math.max(peak, process.memoryUsage.rss());
  } finally {
    clearInterval(watch);
  }
  return (peak - idle) / 1024 ** 2;
}
