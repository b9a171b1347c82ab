import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { judged } from './src/bench/figure.js';
import { summary } from './src/bench/measure.js';

const main = fileURLToPath(new URL('./dist/bench/main.js', import.meta.url));

describe('npm run bench', () => {
  it('prints one figure a line with --json, in the agreed shape', { timeout: 120_000 }, async () => {
    const { stdout } = await bench(['expressions', '--json']);
    const figures = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(figures.length).toBeGreaterThan(2);
    for (const figure of figures) {
      expect(figure).toMatchObject({
        section: 'expressions',
        name: expect.any(String),
        value: expect.any(Number),
        unit: expect.any(String),
      });
      expect(
        Object.keys(figure).every((key) =>
          ['section', 'name', 'value', 'unit', 'against', 'ratio', 'spread', 'target', 'met'].includes(key),
        ),
      ).toBe(true);
    }
  });

  it('refuses a section that it does not have', async () => {
    expect((await bench(['no-such-section'])).code).toBe(2);
  });
});

describe('a figure', () => {
  const figure = { section: 's', name: 'n', value: 10, unit: 'ms' };

  it('is judged by its ratio where it has one, else by its value', () => {
    expect(judged({ ...figure, against: 'x', ratio: 1.1 }, { atMost: 1.2 })).toMatchObject({ target: '≤ 1.2 ×', met: true });
    expect(judged({ ...figure, against: 'x', ratio: 1.3 }, { atMost: 1.2 })).toMatchObject({ met: false });
    expect(judged(figure, { atLeast: 50 })).toMatchObject({ target: '≥ 50 ms', met: false });
    expect(judged(figure, undefined)).toEqual(figure);
  });

  it('is the median of its passes, with the spread between the fastest and the slowest', () => {
    expect(summary([4, 1, 2])).toEqual({ ms: 2, spread: 4 });
    expect(summary([4, 1, 2, 3])).toEqual({ ms: 2.5, spread: 4 });
  });
});

function bench(args: readonly string[]): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], (error, stdout) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout }),
    );
  });
}
