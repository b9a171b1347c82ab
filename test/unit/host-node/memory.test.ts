import { ftruncateSync, mkdtempSync, openSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileSystem } from '../../../hosts/node/src/fs/file-system.js';
import { createFsPathPolicy } from '../../../hosts/node/src/fs/fs-path-policy.js';
import { createProcessHost } from '../../../hosts/node/src/process/process-host.js';
import { requirement } from '../requirement.js';

const GIGABYTE = 1024 ** 3;
const call = { node: 'test', attempt: 1, signal: new AbortController().signal };
let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'memory-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What this process holds more at the worst moment than before. */
async function peakGrowth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 5);
  await work();
  clearInterval(watch);
  return peak - before;
}

describe('memory', () => {
  it('does not grow with what a command prints, whether somebody looks on or not', async () => {
    const host = createProcessHost({ workspace: folder, environment: process.env });
    const request = { command: 'sh', args: ['-c', 'yes 0123456789 | head -c 400000000'], env: {}, maxOutputBytes: 1_048_576 };
    let seen = 0;
    const onOutput = (_: string, text: string) => {
      seen += text.length;
    };
    expect(await peakGrowth(() => host.run(request, call))).toBeLessThan(150_000_000);
    expect(await peakGrowth(() => host.run(request, { ...call, onOutput }))).toBeLessThan(150_000_000);
    expect(seen).toBe(400_000_000);
  });

  it(requirement('RB-17', 'does not grow with the size of a file, nor of a line'), async () => {
    const file = openSync(join(folder, 'large.txt'), 'w');
    writeSync(file, 'first\nsecond\n');
    ftruncateSync(file, 5 * GIGABYTE);
    writeSync(file, 'near the end', 5 * GIGABYTE - 100);
    const lines = openSync(join(folder, 'one-line.txt'), 'w');
    for (let piece = 0; piece < 64; piece++) writeSync(lines, 'x'.repeat(4 * 1024 * 1024));
    writeSync(lines, '\nlast');
    const fs = createFileSystem(createFsPathPolicy({ workspaceDir: folder }));
    const limit = { maxBytes: 8 * 1024 * 1024 };
    const grown = await peakGrowth(async () => {
      await expect(fs.read({ path: 'large.txt', ...limit }, call)).rejects.toMatchObject({ reason: 'too_large' });
      expect((await fs.read({ path: 'large.txt', startLine: 2, lineCount: 1, ...limit }, call).catch((error) => error)).reason).toBe(
        'not_text',
      );
      const range = { path: 'large.txt', startByte: 5 * GIGABYTE - 100, byteCount: 12, ...limit };
      expect((await fs.read(range, call)).content).toBe('near the end');
      await expect(fs.read({ path: 'one-line.txt', startLine: 1, lineCount: 1, ...limit }, call)).rejects.toMatchObject({
        reason: 'too_large',
      });
      expect((await fs.read({ path: 'one-line.txt', startLine: 2, ...limit }, call)).content).toBe('last');
    });
    expect(grown).toBeLessThan(150_000_000);
  });
});
