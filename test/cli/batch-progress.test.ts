import { describe, expect, it } from 'vitest';
import { progressLine, rate } from '../../hosts/cli/src/batch/progress-line.js';
import { summaryLines } from '../../hosts/cli/src/batch/summary-lines.js';
import { createTally, type RunningTally } from '../../hosts/cli/src/batch/tally.js';
import { createPaint } from '../../hosts/cli/src/render/paint.js';

function tallied(begun: number, succeeded: number, failures: readonly (readonly [code: string, message: string])[]): RunningTally {
  const tally = createTally();
  for (let n = 0; n < begun; n++) tally.begin();
  for (let n = 0; n < succeeded; n++) tally.end('succeeded', n);
  for (const [at, [code, message]] of failures.entries()) tally.end('failed', succeeded + at, { code, message });
  return tally;
}

describe('the line that shows a batch', () => {
  it('tells what is done, failed, running and left, and how fast it goes', () => {
    const tally = tallied(312, 300, [
      ['a', ''],
      ['a', ''],
    ]);
    expect(progressLine({ tally, elapsedMs: 10_000, total: { count: 1_000, isExact: false } })).toBe(
      '302 of about 1000 done, 2 failed, 10 running, 30/s, 23.1 s left',
    );
    expect(progressLine({ tally, elapsedMs: 10_000 })).toBe('302 done, 2 failed, 10 running, 30/s');
  });

  it('makes no guess before there is something to go by, and never says that more is done than there is', () => {
    expect(progressLine({ tally: tallied(2, 0, []), elapsedMs: 50, total: { count: 9, isExact: true } })).toBe('0 of 9 done, 2 running');
    expect(progressLine({ tally: tallied(5, 5, []), elapsedMs: 1_000, total: { count: 4, isExact: false } })).toBe(
      '5 of about 5 done, 5.0/s',
    );
  });

  it('gives slow rates by the minute', () => {
    expect([rate(41.4), rate(9.96), rate(0.5), rate(0.05)]).toEqual(['41/s', '10.0/s', '0.5/s', '3.0/min']);
  });
});

describe('the summary of a batch', () => {
  it('groups failures by their code, the most frequent first, with the first of each', () => {
    const tally = tallied(9, 5, [
      ['timeout', 'took too long'],
      ['user.bad', 'first\nof two lines'],
      ['user.bad', 'second'],
    ]);
    tally.end('cancelled', 8);
    expect(summaryLines(tally, 2_000, createPaint(false))).toEqual([
      '9 items: 5 succeeded, 3 failed, 1 cancelled in 2.0 s (4.5/s)',
      '  2 × user.bad  first item 6: first of two lines',
      '  1 × timeout  item 5: took too long',
    ]);
  });

  it('shows control characters of a message and cuts a long one', () => {
    const [, line = ''] = summaryLines(tallied(1, 0, [['a', `\u001b[31m${'x'.repeat(1_000)}`]]), 10, createPaint(false));
    expect(line).toContain('\\x1b[31m');
    expect(line.length).toBeLessThan(400);
  });
});
