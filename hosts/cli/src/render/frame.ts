import { showControls } from '@relavium/engine';
import { duration } from './duration.js';
import type { Paint } from './paint.js';
import type { NodeProgress, Progress } from './progress.js';
import { skipReason } from './skip-reason.js';
import type { Symbols } from './symbols.js';
import { fitMiddle, fitWidth, textWidth } from './text-width.js';

export interface FrameOptions {
  readonly columns: number;
  readonly rows: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Counts the frames, so that the mark of what runs can move. */
  readonly tick: number;
  readonly symbols: Symbols;
  readonly paint: Paint;
}

/**
 * The live picture of a run: a line a node and a last line with the counts. No line is wider than the terminal, and there are
 * fewer lines than it has rows: where the nodes do not fit, those that run stand first, then what ended last and what comes next.
 */
export function frame(progress: Progress, options: FrameOptions): readonly string[] {
  const room = Math.max(1, options.rows - 2);
  const shown = progress.scheduled.length <= room ? progress.scheduled : windowOf(progress, room);
  return [...nodeLines(progress, shown, options), footer(progress, options)];
}

/** What stays on the screen when the run is over: all nodes where they fit, else those that did not succeed. */
export function lastFrame(progress: Progress, options: FrameOptions): readonly string[] {
  const room = Math.max(1, options.rows - 2);
  const all = progress.scheduled;
  const shown =
    all.length <= room ? all : all.filter((index) => ['failed', 'cancelled'].includes(nodeAt(progress, index).state)).slice(0, room);
  return nodeLines(progress, shown, options);
}

function windowOf(progress: Progress, room: number): number[] {
  const active = [...progress.active].slice(0, room);
  const left = room - active.length;
  const recent = progress.ended.slice(progress.ended.length - Math.min(Math.ceil(left / 2), progress.ended.length));
  const next: number[] = [];
  for (const index of progress.scheduled) {
    if (next.length >= left - recent.length) break;
    if (nodeAt(progress, index).state === 'pending') next.push(index);
  }
  return [...recent, ...active, ...next];
}

function nodeLines(progress: Progress, shown: readonly number[], options: FrameOptions): string[] {
  const nodes = shown.map((index) => nodeAt(progress, index));
  const widest = nodes.reduce((width, node) => Math.max(width, textWidth(node.id)), 0);
  const nameWidth = Math.min(widest, Math.max(8, Math.floor(options.columns / 2) - 2));
  return shown.map((index) => nodeLine(progress, index, nameWidth, options));
}

function nodeLine(progress: Progress, index: number, nameWidth: number, options: FrameOptions): string {
  const { paint, columns } = options;
  const node = nodeAt(progress, index);
  const name = fitMiddle(node.id, nameWidth);
  const detail = fitWidth(showControls(detailOf(progress, index, options.now)).replaceAll(/\s+/g, ' '), columns - nameWidth - 5);
  const padding = ' '.repeat(Math.max(0, nameWidth - textWidth(name)) + 2);
  const line = `${markOf(node, options)} ${node.state === 'pending' ? paint.dim(name) : name}`;
  return detail === ''
    ? line
    : `${line}${padding}${node.state === 'failed' && node.handled !== true ? paint.red(detail) : paint.dim(detail)}`;
}

function markOf(node: NodeProgress, { symbols, paint, tick }: FrameOptions): string {
  switch (node.state) {
    case 'succeeded':
      return paint.green(symbols.succeeded);
    case 'failed':
      return node.handled === true ? paint.yellow(symbols.failed) : paint.red(symbols.failed);
    case 'skipped':
      return paint.dim(symbols.skipped);
    case 'cancelled':
      return paint.yellow(symbols.cancelled);
    case 'running':
      return paint.cyan(symbols.running[tick % symbols.running.length] as string);
    case 'retrying':
    case 'waiting':
      return paint.yellow(symbols.waiting);
    case 'pending':
      return paint.dim(symbols.pending);
    default:
      return node.state satisfies never;
  }
}

function detailOf(progress: Progress, index: number, now: number): string {
  const node = nodeAt(progress, index);
  switch (node.state) {
    case 'succeeded':
    case 'cancelled':
      return [itemsOf(node), time(node, node.endedAt)].filter((part) => part !== '').join(', ');
    case 'failed':
      return `${time(node, node.endedAt)}, ${node.error?.code ?? 'failed'}${node.handled === true ? ', handled' : ''}`;
    case 'skipped':
      return skipReason(node.skipReason ?? '');
    case 'running':
      return [
        time(node, now),
        itemsOf(node),
        node.attempt > 1 ? `attempt ${node.attempt}` : '',
        node.inner ?? '',
        node.activity?.trim() ?? '',
      ]
        .filter((part) => part !== '')
        .join(', ');
    case 'retrying':
      return `${node.error?.code ?? 'failed'}, again in ${duration(Math.max(0, (node.until ?? now) - now))}`;
    case 'waiting':
      return node.until === undefined ? 'waits' : `waits for ${duration(Math.max(0, node.until - now))}`;
    case 'pending': {
      const sources = progress.waitsFor(index);
      return sources.length === 0 ? 'waits for its turn' : `after ${sources.join(', ')}`;
    }
    default:
      return node.state satisfies never;
  }
}

function itemsOf({ items }: NodeProgress): string {
  if (items === undefined) return '';
  return items.total === undefined ? `item ${items.begun}` : `${items.ended}/${items.total}`;
}

function time(node: NodeProgress, until: number | undefined): string {
  return node.startedAt === undefined || until === undefined ? '' : duration(Math.max(0, until - node.startedAt));
}

function footer(progress: Progress, { columns, now, paint }: FrameOptions): string {
  const { counts } = progress;
  const over = counts.succeeded + counts.failed + counts.skipped + counts.cancelled;
  const parts = [
    `${over}/${progress.scheduled.length} done`,
    counts.running > 0 ? `${counts.running} running` : '',
    counts.waiting + counts.retrying > 0 ? `${counts.waiting + counts.retrying} waiting` : '',
    counts.failed > 0 ? `${counts.failed} failed` : '',
    progress.startedAt === undefined ? '' : duration(Math.max(0, now - progress.startedAt)),
  ];
  return paint.dim(fitWidth(parts.filter((part) => part !== '').join(', '), columns - 1));
}

function nodeAt(progress: Progress, index: number): NodeProgress {
  return progress.nodes[index] as NodeProgress;
}
