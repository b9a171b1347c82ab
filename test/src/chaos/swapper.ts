import { existsSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const { workspace, outside } = workerData as { readonly workspace: string; readonly outside: string };
const folder = join(workspace, 'folder');
const plain = join(workspace, 'plain.txt');

parentPort?.postMessage('up');
for (;;) {
  swap(folder, outside);
  swap(plain, join(outside, 'file.txt'));
}

/** Puts a link that leads outside where something is, and takes it away again. */
function swap(path: string, target: string): void {
  const aside = `${path}.aside`;
  try {
    renameSync(path, aside);
    symlinkSync(target, path);
    unlinkSync(path);
  } catch {
    // A tool has just put something there.
  }
  if (!existsSync(aside)) return;
  rmSync(path, { recursive: true, force: true });
  renameSync(aside, path);
}
