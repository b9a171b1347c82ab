import { showControls } from '@relavium/engine';
import { duration } from '../render/duration.js';
import type { Paint } from '../render/paint.js';
import { rate } from './progress-line.js';
import type { Tally } from './tally.js';

/** What came of a batch: how many items ended how, and the failures by their code with the first of each. */
export function summaryLines(tally: Tally, elapsedMs: number, paint: Paint): readonly string[] {
  const done = tally.succeeded + tally.failed + tally.cancelled;
  const time = `in ${duration(elapsedMs)}${done > 0 && elapsedMs >= 1000 ? ` (${rate((done * 1000) / elapsedMs)})` : ''}`;
  const counts = [
    tally.succeeded > 0 || done === 0 ? paint.green(`${tally.succeeded} succeeded`) : '',
    tally.failed > 0 ? paint.red(`${tally.failed} failed`) : '',
    tally.cancelled > 0 ? paint.yellow(`${tally.cancelled} cancelled`) : '',
  ];
  return [`${done} item${done === 1 ? '' : 's'}: ${counts.filter((part) => part !== '').join(', ')} ${time}`, ...groupLines(tally, paint)];
}

function groupLines({ failures }: Tally, paint: Paint): readonly string[] {
  const groups = [...failures].sort(([, a], [, b]) => b.count - a.count);
  const width = Math.max(0, ...groups.map(([, { count }]) => String(count).length));
  return groups.map(([code, { count, index, message }]) => {
    const first = `${count === 1 ? '' : 'first '}item ${index}: ${message}`;
    return `  ${String(count).padStart(width)} × ${paint.red(showControls(code))}  ${paint.dim(oneLine(first))}`;
  });
}

function oneLine(text: string): string {
  const shown = showControls(text.length > 300 ? `${text.slice(0, 299)}…` : text);
  return shown.replaceAll(/\s*\n\s*/g, ' ');
}
