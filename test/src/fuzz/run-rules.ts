import { isDeepStrictEqual } from 'node:util';
import { fold, isOver, type Plan, type RunEvent, type RunState } from '@relavium/engine';
import { begin } from './pure-driver.js';

export const terminals: ReadonlySet<string> = new Set(['run:succeeded', 'run:failed', 'run:cancelled']);
const endings: ReadonlySet<string> = new Set(['node:succeeded', 'node:failed', 'node:skipped', 'node:cancelled']);

/** What must hold of the events of every run that has ended, whatever its graph and whatever happened. */
export function brokenRules(plan: Plan, events: readonly RunEvent[]): string[] {
  const broken: string[] = [];
  events.forEach((event, at) => {
    if (event.seq !== at) broken.push(`event ${at} has seq ${event.seq}`);
  });
  const terminal = events.filter((event) => terminals.has(event.type));
  if (terminal.length !== 1) broken.push(`${terminal.length} terminal events`);
  if (!terminals.has(events.at(-1)?.type ?? '')) broken.push(`the last event is ${events.at(-1)?.type}`);

  const ended = new Map<string, string>();
  const opened = new Set<string>();
  const completed = new Set<string>();
  for (const event of events) {
    if (event.type === 'loop:item_started') opened.add(`${event.node}[${event.index}]`);
    if (event.type === 'loop:item_completed') completed.add(`${event.node}[${event.index}]`);
    if (!event.type.startsWith('node:') || !('node' in event) || event.node === undefined) continue;
    // Another attempt of a container runs what is in it once more.
    if (event.type === 'node:retrying') for (const inner of ended.keys()) if (isInside(inner, event.node)) ended.delete(inner);
    const before = ended.get(event.node);
    if (before !== undefined) broken.push(`${event.type} of ${event.node} after ${before}`);
    if (endings.has(event.type)) ended.set(event.node, event.type);
  }
  for (const node of plan.root.nodes) if (!ended.has(node.id)) broken.push(`${node.id} has not ended`);
  for (const item of opened) if (!completed.has(item)) broken.push(`${item} has begun and not ended`);
  for (const [path, ending] of ended)
    if (ending !== 'node:skipped' && !hasStarted(events, path)) broken.push(`${path} has ended by ${ending} and never started`);
  broken.push(...brokenLocks(plan, events));
  return broken;
}

/** The events are the whole truth: folding them gives the state that the driver ended with. */
export function brokenFold(plan: Plan, events: readonly RunEvent[], state: RunState): string[] {
  const folded = fold(plan, begin, events);
  const broken: string[] = [];
  if (!isDeepStrictEqual(folded, state)) broken.push('folding the events gives another state');
  if (isOver(state) && (state.root.active !== 0 || state.root.waiting !== 0))
    broken.push(`ended with ${state.root.active} active and ${state.root.waiting} waiting nodes`);
  return broken;
}

function isInside(path: string, container: string): boolean {
  return path.startsWith(`${container}/`) || path.startsWith(`${container}[`);
}

function hasStarted(events: readonly RunEvent[], path: string): boolean {
  return events.some((event) => event.type === 'node:started' && event.node === path);
}

/** A lock has one holder at a time. */
function brokenLocks(plan: Plan, events: readonly RunEvent[]): string[] {
  const lockOf = new Map(plan.root.nodes.filter((node) => node.lock !== undefined).map((node) => [node.id, node.lock!]));
  const holders = new Map<string, string>();
  const broken: string[] = [];
  for (const event of events) {
    if (!('node' in event) || event.node === undefined) continue;
    const lock = lockOf.get(event.node);
    if (lock === undefined) continue;
    if (event.type === 'node:started') {
      const holder = holders.get(lock);
      if (holder !== undefined && holder !== event.node) broken.push(`${event.node} started while ${holder} held the lock ${lock}`);
      holders.set(lock, event.node);
    }
    if (endings.has(event.type) && holders.get(lock) === event.node) holders.delete(lock);
  }
  return broken;
}
