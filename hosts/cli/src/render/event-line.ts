import { type Json, type NodeError, type RunEvent, type StreamedEvent, showControls } from '@relavium/engine';
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
  if (!verbose && 'node' in event && event.node !== undefined && isInner(event.node) && !OF_INNER_NODES_TOO.has(event.type)) {
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
    case 'agent:turn_completed': {
      if (!verbose) return undefined;
      const { inputTokens, outputTokens } = event.usage;
      return line(
        'answered',
        event.node,
        `turn ${event.turn}, ${event.provider}:${event.model}, ${inputTokens} tokens in, ${outputTokens} out`,
      );
    }
    case 'agent:tool_call':
      return verbose ? line('calls', event.node, `${event.tool} ${wordsOf(event.toolInput)}`) : undefined;
    case 'agent:tool_result':
      if (event.ok) return verbose ? line('got', event.node, event.outputSummary) : undefined;
      // What an agent may not do is told: the author may want to allow it, or to know that it was tried.
      if (event.error?.code === 'tool_denied') return line('refused', event.node, why(event.error), paint.yellow);
      return verbose
        ? line('got', event.node, event.error === undefined ? event.outputSummary : why(event.error), paint.yellow)
        : undefined;
    case 'agent:failover':
      return line('failover', event.node, `to ${event.to}, since ${event.from} did not answer: ${event.error.message}`, paint.yellow);
    case 'budget:warning':
      return line('budget', '', event.message, paint.yellow);
    case 'budget:waiting':
      return line('budget', event.node ?? '', event.message, paint.yellow);
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

/** Of nodes inside loops, child workflows and other agents. */
const OF_INNER_NODES_TOO: ReadonlySet<string> = new Set([
  'node:failed',
  'node:retrying',
  'agent:tool_result',
  'agent:failover',
  'budget:waiting',
  'gate:opened',
  'gate:decided',
]);

function wordsOf(input: Json): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
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
