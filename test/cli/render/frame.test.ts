import { describe, expect, it } from 'vitest';
import { type FrameOptions, frame, lastFrame } from '../../../hosts/cli/src/render/frame.js';
import { createPaint } from '../../../hosts/cli/src/render/paint.js';
import { createProgress, type Progress } from '../../../hosts/cli/src/render/progress.js';
import { symbolsFor } from '../../../hosts/cli/src/render/symbols.js';
import { stripPaint, textWidth } from '../../../hosts/cli/src/render/text-width.js';
import { event, failure, planOf, start } from './plans.js';

const options = (ms: number, size: { readonly columns?: number; readonly rows?: number } = {}): FrameOptions => ({
  columns: 80,
  rows: 24,
  now: start + ms,
  tick: 0,
  symbols: symbolsFor({ LANG: 'en_US.UTF-8' }, 'linux'),
  paint: createPaint(false),
  ...size,
});

function progressOf(
  ids: readonly string[],
  edges: readonly (readonly [string, string])[],
  events: readonly ReturnType<typeof event>[],
): Progress {
  const progress = createProgress(planOf(ids, edges));
  for (const one of events) progress.apply(one);
  return progress;
}

describe('frame', () => {
  it('shows every state of a node: time, what it waits for, why it did not run', () => {
    const progress = progressOf(
      ['fetch', 'build', 'deploy', 'flaky', 'gate', 'broken', 'handled', 'other'],
      [
        ['build', 'deploy'],
        ['flaky', 'deploy'],
      ],
      [
        event(0, { type: 'run:started' }),
        event(0, { type: 'node:started', node: 'fetch', attempt: 1 }),
        event(400, { type: 'node:succeeded', node: 'fetch', durationMs: 400 }),
        event(400, { type: 'node:started', node: 'build', attempt: 2 }),
        event(400, { type: 'node:started', node: 'flaky', attempt: 1 }),
        event(900, {
          type: 'node:retrying',
          node: 'flaky',
          attempt: 1,
          error: failure('timeout', 'slow'),
          delayMs: 3000,
          until: new Date(start + 3900).toISOString(),
        }),
        event(900, { type: 'node:waiting', node: 'gate' }),
        event(950, { type: 'node:started', node: 'broken', attempt: 1 }),
        event(1000, { type: 'node:failed', node: 'broken', handled: false, error: failure('tool_failed', 'no'), durationMs: 50 }),
        event(1000, { type: 'node:started', node: 'handled', attempt: 1 }),
        event(1000, { type: 'node:failed', node: 'handled', handled: true, error: failure('user.missing', 'no'), durationMs: 0 }),
        event(1000, { type: 'node:skipped', node: 'other', reason: 'branch_not_taken' }),
      ],
    );
    expect(frame(progress, options(1900))).toEqual([
      '✓ fetch    400 ms',
      '⠋ build    1.5 s, attempt 2',
      '· deploy   after build, flaky',
      '◷ flaky    timeout, again in 2.0 s',
      '◷ gate     waits',
      '✗ broken   50 ms, tool_failed',
      '✗ handled  0 ms, user.missing, handled',
      '– other    another branch was taken',
      '4/8 done, 1 running, 2 waiting, 2 failed, 1.9 s',
    ]);
  });

  it('shows how far a loop is and what runs inside', () => {
    const progress = progressOf(
      ['each'],
      [],
      [
        event(0, { type: 'node:started', node: 'each', attempt: 1, loop: { items: [1, 2, 3] } }),
        event(0, { type: 'loop:item_started', node: 'each', index: 0 }),
        event(1, { type: 'loop:item_completed', node: 'each', index: 0, ok: true }),
        event(1, { type: 'loop:item_started', node: 'each', index: 1 }),
        event(1, { type: 'node:started', node: 'each[1].step', attempt: 1 }),
      ],
    );
    expect(frame(progress, options(2))[0]).toBe('⠋ each  2 ms, 1/3, each[1].step');
    progress.apply(event(3, { type: 'node:succeeded', node: 'each[1].step', durationMs: 2 }));
    expect(frame(progress, options(4))[0]).toBe('⠋ each  4 ms, 1/3');
  });

  it('stays within 40 columns, also with long and wide names, and shows control characters', () => {
    const ids = ['a'.repeat(64), '日本'.repeat(20), 'short'];
    const progress = progressOf(ids, [[ids[0] as string, 'short']], [event(0, { type: 'node:started', node: 'a'.repeat(64), attempt: 1 })]);
    progress.apply(
      event(5, { type: 'node:failed', node: 'a'.repeat(64), handled: false, error: failure('user.\u001b[2J', 'x'), durationMs: 5 }),
    );
    for (const line of frame(progress, options(10, { columns: 40 }))) {
      expect(textWidth(stripPaint(line))).toBeLessThan(40);
      expect(line).not.toContain('\u001b');
    }
  });

  it('fits the height of the terminal and shows what runs, what ended last and what comes next', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `n${index}`);
    const events = [event(0, { type: 'run:started' })];
    for (let index = 0; index < 5_000; index++) {
      events.push(event(index, { type: 'node:started', node: `n${index}`, attempt: 1 }));
      if (index !== 77) events.push(event(index, { type: 'node:succeeded', node: `n${index}`, durationMs: 0 }));
    }
    const progress = progressOf(ids, [], events);
    const lines = frame(progress, options(5_000, { rows: 10 }));
    expect(lines).toHaveLength(9);
    const names = lines.map((line) => line.split(' ')[1]);
    expect(names).toContain('n77');
    expect(names).toContain('n4999');
    expect(names).toContain('n5000');
    expect(lines.at(-1)).toBe('4999/10000 done, 1 running, 5.0 s');
  });

  it('keeps all nodes on the screen at the end where they fit, else only what went wrong', () => {
    const events = [
      event(0, { type: 'node:started', node: 'a', attempt: 1 }),
      event(1, { type: 'node:succeeded', node: 'a', durationMs: 1 }),
      event(1, { type: 'node:started', node: 'b', attempt: 1 }),
      event(2, { type: 'node:failed', node: 'b', handled: false, error: failure('tool_failed', 'no'), durationMs: 1 }),
    ];
    const progress = progressOf(['a', 'b', 'c'], [], events);
    expect(lastFrame(progress, options(3))).toHaveLength(3);
    expect(lastFrame(progress, options(3, { rows: 4 }))).toEqual(['✗ b  1 ms, tool_failed']);
  });

  it('uses plain ASCII marks where the locale has no more', () => {
    const { symbols: _, ...rest } = options(0);
    const progress = progressOf(['a'], [], [event(0, { type: 'node:started', node: 'a', attempt: 1 })]);
    expect(frame(progress, { ...rest, symbols: symbolsFor({ LANG: 'C' }, 'linux') })[0]).toBe('| a  0 ms');
  });
});
