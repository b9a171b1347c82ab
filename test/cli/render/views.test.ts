import { describe, expect, it } from 'vitest';
import type { Sink } from '../../../hosts/cli/src/cli.js';
import { createLiveView } from '../../../hosts/cli/src/render/live-view.js';
import { createPaint } from '../../../hosts/cli/src/render/paint.js';
import { createPlainView } from '../../../hosts/cli/src/render/plain-view.js';
import { createProgress } from '../../../hosts/cli/src/render/progress.js';
import { symbolsFor } from '../../../hosts/cli/src/render/symbols.js';
import { event, failure, planOf, start } from './plans.js';

function recordingSink(size: { readonly columns: number; readonly rows: number }): Sink & { readonly text: () => string } {
  let text = '';
  return {
    isTerminal: true,
    paint: createPaint(false),
    ...size,
    isOpen: true,
    isBehind: false,
    drained: () => Promise.resolve(),
    write: (more) => {
      text += more;
    },
    line: (more = '') => {
      text += `${more}\n`;
    },
    onResize: () => () => {},
    text: () => text,
  };
}

describe('the plain view', () => {
  const shown = (verbose: boolean): string[] => {
    const sink = recordingSink({ columns: 80, rows: 24 });
    const view = createPlainView({ sink, progress: createProgress(planOf(['build', 'each', 'ship'])), verbose, now: () => start });
    view.event(event(0, { type: 'node:started', node: 'build', nodeType: 'tool', attempt: 1 }));
    view.event(event(1, { type: 'tool:call', node: 'build', callId: 'c', tool: 'run_command', toolInput: '{"command":"make"}' }));
    view.event(event(2, { type: 'tool:output', node: 'build', stream: 'stdout', text: 'one\ntw' }));
    view.event(event(3, { type: 'tool:output', node: 'build', stream: 'stdout', text: 'o\n\u001b[31mred' }));
    view.event(event(4, { type: 'node:succeeded', node: 'build', output: null, durationMs: 4 }));
    view.event(event(5, { type: 'node:succeeded', node: 'each[0].step', output: null, durationMs: 1 }));
    view.event(
      event(6, { type: 'node:failed', node: 'each[1].step', error: failure('tool_failed', 'no\nsuch file'), handled: true, durationMs: 1 }),
    );
    view.event(event(7, { type: 'node:skipped', node: 'ship', reason: 'branch_not_taken' }));
    view.close();
    return sink.text().split('\n');
  };

  it('says a line an event, and leaves out what happens inside loops unless it fails', () => {
    expect(shown(false)).toEqual([
      'done      build  4 ms',
      'failed    each[1].step  tool_failed: no such file (handled)',
      'skipped   ship  another branch was taken',
      '',
    ]);
  });

  it('adds starts, calls and whole lines of output when it is told to say more', () => {
    expect(shown(true)).toEqual([
      'started   build',
      'calls     build  run_command {"command":"make"}',
      'build │ one',
      'build │ two',
      'build │ \\x1b[31mred',
      'done      build  4 ms',
      'done      each[0].step  1 ms',
      'failed    each[1].step  tool_failed: no such file (handled)',
      'skipped   ship  another branch was taken',
      '',
    ]);
  });
});

describe('the live view', () => {
  it('draws over its last picture, writes what is said above it, and gives the cursor back', () => {
    const sink = recordingSink({ columns: 80, rows: 24 });
    const symbols = symbolsFor({ LANG: 'en_US.UTF-8' }, 'linux');
    const view = createLiveView({ sink, progress: createProgress(planOf(['a'])), symbols, verbose: false, now: () => start });
    view.event(event(0, { type: 'node:started', node: 'a', nodeType: 'tool', attempt: 1 }));
    view.say('first');
    view.say('second');
    view.event(event(0, { type: 'node:succeeded', node: 'a', output: null, durationMs: 0 }));
    view.close();
    view.close();
    const screen = screenOf(sink.text());
    expect(screen).toEqual(['first', 'second', '✓ a  0 ms']);
    expect(sink.text().startsWith('\u001b[?25l')).toBe(true);
    expect(sink.text().endsWith('\u001b[?25h')).toBe(true);
  });
});

/** What a terminal shows after these bytes, for the few sequences that the view is allowed to use. */
function screenOf(text: string): string[] {
  const lines: string[] = [''];
  let row = 0;
  for (const [token, up] of text.matchAll(/\u001b\[(\d+)A|\u001b\[J|\u001b\[\?25[lh]|\r|\n|[^\u001b\r\n]+/g)) {
    if (up !== undefined) row -= Number(up);
    else if (token === '\u001b[J') lines.splice(row, lines.length, '');
    else if (token === '\n') {
      row++;
      lines[row] ??= '';
    } else if (!token.startsWith('\u001b') && token !== '\r') lines[row] += token;
  }
  return lines.filter((line) => line !== '');
}
