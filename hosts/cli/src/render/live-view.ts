import type { RunEvent, StreamedEvent } from '@relavium/engine';
import type { Sink } from '../cli.js';
import { eventLine } from './event-line.js';
import { type FrameOptions, frame, lastFrame } from './frame.js';
import { createOutputLines } from './output-lines.js';
import type { Progress } from './progress.js';
import type { Symbols } from './symbols.js';
import { stripPaint, textWidth } from './text-width.js';
import type { View } from './view.js';

export interface LiveViewOptions {
  readonly sink: Sink;
  readonly progress: Progress;
  readonly symbols: Symbols;
  readonly verbose: boolean;
  readonly now: () => number;
}

const frameMs = 100;
/** What is said beside the picture. */
const DETAILS: ReadonlySet<string> = new Set([
  'tool:call',
  'log',
  'agent:turn_completed',
  'agent:tool_call',
  'agent:tool_result',
  'agent:failover',
  'budget:warning',
  'budget:waiting',
]);

/**
 * Draws the picture of a run in place. What is said beside it scrolls away above. Uses only: cursor up, clear line, clear to the
 * end of the screen, hide and show the cursor.
 */
export function createLiveView({ sink, progress, symbols, verbose, now }: LiveViewOptions): View {
  const outputLines = createOutputLines();
  let drawn: readonly string[] = [];
  let tick = 0;
  let isClosed = false;
  let isHeld = false;

  const options = (): FrameOptions => ({
    columns: sink.columns || 80,
    rows: sink.rows || 24,
    now: now(),
    tick,
    symbols,
    paint: sink.paint,
  });

  /** Back to the first line of the last picture. A terminal that has become narrower has broken its lines into several rows. */
  const rewind = (): string => {
    const columns = sink.columns || 80;
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(stripPaint(line)) / columns)), 0);
    return rows === 0 ? '\r\u001b[J' : `\r\u001b[${rows}A\u001b[J`;
  };

  const draw = (above: readonly string[] = []): void => {
    if (isClosed || isHeld) return;
    const lines = frame(progress, options());
    sink.write(`${rewind()}${[...above, ...lines].join('\n')}\n`);
    drawn = lines;
  };

  const timer = setInterval(() => {
    tick++;
    draw();
  }, frameMs);
  // A run that has nothing left to do must be able to end.
  timer.unref();
  const offResize = sink.onResize(() => draw());
  const showCursor = (): void => sink.write('\u001b[?25h');
  process.on('exit', showCursor);
  sink.write('\u001b[?25l');

  return {
    event(event: RunEvent | StreamedEvent) {
      progress.apply(event);
      if (!verbose && !event.type.startsWith('agent:') && !event.type.startsWith('budget:')) return;
      if (!verbose && event.type === 'agent:text') return;
      const lines = event.type === 'tool:output' || event.type === 'agent:text' ? outputLines.add(event, sink.paint) : detailLine(event);
      if (lines.length > 0) draw(lines);
    },
    say(text) {
      draw([text]);
    },
    hold() {
      draw();
      isHeld = true;
      drawn = [];
      sink.write('\u001b[?25h');
      return () => {
        isHeld = false;
        sink.write('\u001b[?25l');
        draw();
      };
    },
    close() {
      if (isClosed) return;
      isHeld = false;
      clearInterval(timer);
      offResize();
      process.off('exit', showCursor);
      const rest = verbose ? outputLines.rest(sink.paint) : [];
      const lines = [...rest, ...lastFrame(progress, options())];
      sink.write(`${rewind()}${lines.map((line) => `${line}\n`).join('')}\u001b[?25h`);
      isClosed = true;
    },
  };

  function detailLine(event: RunEvent | StreamedEvent): readonly string[] {
    const said = verbose ? outputLines.restBefore(event, sink.paint) : [];
    const line = DETAILS.has(event.type) ? eventLine(event, { verbose, paint: sink.paint }) : undefined;
    return line === undefined ? said : [...said, line];
  }
}
