import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scenes } from './src/fuzz/attacks.js';

describe('random graphs', () => {
  it('end, once and for all, with a log that is the whole truth, whatever the order of things', { timeout: 120_000 }, async () => {
    const { code, stdout } = await fuzz(['dag', '--runs', '300', '--seed', '20200101']);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const counts = countsOf(stdout);
    expect(counts).toMatchObject({ runs: 300 });
    // The graphs are worth the name: runs end in all three ways, and some of them race.
    for (const name of ['succeeded', 'failed', 'cancelled', 'races']) expect(counts[name]).toBeGreaterThan(0);
  });
});

describe('the command on hostile input', () => {
  it('gives an error or a right answer, never a stack trace, a hang or a wrong exit code', { timeout: 600_000 }, async () => {
    const { code, stdout } = await fuzz(['hostile', '--runs', String(Object.keys(scenes).length), '--seed', '1']);
    expect({ code, stdout }).toMatchObject({ code: 0 });
  });
});

describe('random paths', () => {
  it('show and change nothing outside the workspace or behind a floor', { timeout: 120_000 }, async () => {
    const { code, stdout } = await fuzz(['paths-jail', '--runs', '2000', '--seed', '1']);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const { allowed, refused } = countsOf(stdout);
    expect(allowed).toBeGreaterThan(200);
    expect(refused).toBeGreaterThan(200);
  });
});

describe('the other targets', () => {
  it.each(['paths', 'masking', 'commands'])('%s find nothing in a few hundred runs', { timeout: 120_000 }, async (target) => {
    const { code, stdout } = await fuzz([target, '--runs', '400', '--seed', '1']);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(countsOf(stdout)).toMatchObject({ runs: 400 });
  });
});

describe('npm run fuzz', () => {
  it('exits 2 and tells how it is used when it is used wrongly', async () => {
    for (const args of [[], ['no-such-target'], ['dag', '--runs', 'many'], ['dag', '--runs', '1', '--seconds', '1']]) {
      const { code, stderr } = await fuzz(args);
      expect([args, code]).toEqual([args, 2]);
      expect(stderr).toContain('usage: npm run fuzz');
    }
  });
});

function countsOf(stdout: string): Record<string, number> {
  const line = stdout.trim().split('\n').at(-1) ?? '';
  return Object.fromEntries([...line.matchAll(/(\w+) (\d+)/g)].map((match) => [match[1], Number(match[2])]));
}

function fuzz(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const main = fileURLToPath(new URL('./dist/fuzz/main.js', import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}
