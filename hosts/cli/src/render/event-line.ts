import { type NodeError, type RunEvent, type StreamedEvent, showControls } from '@relavium/engine';
import { duration } from './duration.js';
import type { Paint } from './paint.js';
import { skipReason } from './skip-reason.js';

export interface EventLineOptions {
  /** Also what happens inside loops and child workflows, starts, and calls. */
  readonly verbose: boolean;
  readonly paint: Paint;
}

/** One event as a line of a log: what happened, to which node, and what there is to know. `undefined`: nothing to say. */
export function eventLine(event: RunEvent | StreamedEvent, { verbose, paint }: EventLineOptions): string | undefined {
  if (
    !verbose &&
    'node' in event &&
    event.node !== undefined &&
    isInner(event.node) &&
    event.type !== 'node:failed' &&
    event.type !== 'node:retrying'
  ) {
    return undefined;
  }
  const line = (word: string, node: string, detail: string, colour: (text: string) => string = (text) => text): string =>
    `${colour(word.padEnd(9))} ${oneLine(node)}${detail === '' ? '' : `  ${paint.dim(oneLine(detail))}`}`;
  switch (event.type) {
    case 'node:started':
      return verbose ? line('started', event.node, event.attempt > 1 ? `attempt ${event.attempt}` : '') : undefined;
    case 'node:succeeded':
      return line(
        'done',
        event.node,
        [event.selected === undefined ? '' : `takes ${event.selected}`, duration(event.durationMs)]
          .filter((part) => part !== '')
          .join(', '),
        paint.green,
      );
    case 'node:failed':
      return line(
        'failed',
        event.node,
        `${why(event.error)}${event.handled ? ' (handled)' : ''}`,
        event.handled ? paint.yellow : paint.red,
      );
    case 'node:retrying':
      return line(
        'retrying',
        event.node,
        `in ${duration(event.delayMs)}, after attempt ${event.attempt}: ${why(event.error)}`,
        paint.yellow,
      );
    case 'node:waiting':
      return line('waiting', event.node, event.until === undefined ? '' : `until ${event.until}`, paint.yellow);
    case 'node:skipped':
      return line('skipped', event.node, skipReason(event.reason), paint.dim);
    case 'node:cancelled':
      return line('cancelled', event.node, '', paint.yellow);
    case 'loop:item_completed':
      return verbose
        ? line('item', `${event.node}[${event.index}]`, event.ok ? 'done' : event.error === undefined ? 'failed' : why(event.error))
        : undefined;
    case 'tool:call':
      return verbose ? line('calls', event.node, `${event.tool} ${event.toolInput}`) : undefined;
    case 'gate:opened':
      return line('asks', event.node, event.message, paint.yellow);
    case 'gate:decided':
      return line('decided', event.node, `${event.decision} by ${event.by}`);
    case 'log':
      return line(event.level === 'warning' ? 'warning' : 'note', event.node ?? '', event.message);
    default:
      return undefined;
  }
}

function why(error: NodeError): string {
  return `${error.code}: ${error.message}`;
}

/** Untrusted text in one line of at most 500 characters. */
function oneLine(text: string): string {
  const shown = showControls(text.length > 500 ? `${text.slice(0, 499)}…` : text);
  return shown.replaceAll(/\s*\n\s*/g, ' ');
}

function isInner(path: string): boolean {
  return /[./[]/.test(path);
}
