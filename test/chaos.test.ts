import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { requirement } from './unit/requirement.js';

it(requirement('FA-26', 'a link that is swapped in while a tool works leads nowhere outside'), { timeout: 120_000 }, async () => {
  expect(await chaos(['races', '--runs', '1500', '--seed', '3'])).toEqual({ code: 0, stdout: 'runs 1500 outside 0 stuck 0\n' });
});

it('nothing of a command lives on after a timeout or a signal', { timeout: 120_000 }, async () => {
  expect(await chaos(['orphans', '--runs', '6', '--seed', '3'])).toEqual({ code: 0, stdout: 'runs 6 orphans 0 stuck 0\n' });
});

it('npm run chaos exits 2 when it is used wrongly', async () => {
  expect((await chaos(['nothing'])).code).toBe(2);
});

function chaos(args: readonly string[]): Promise<{ code: number; stdout: string }> {
  const main = fileURLToPath(new URL('./dist/chaos/main.js', import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], (error, stdout) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout }),
    );
  });
}
