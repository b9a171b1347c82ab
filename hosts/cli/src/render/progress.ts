import type { NodeError, Plan, PlanNode, RunEvent, StreamedEvent } from '@relavium/engine';

/** What a person wants to know about one node of the outermost workflow. Times are milliseconds since the epoch. */
export interface NodeProgress {
  readonly id: string;
  readonly type: PlanNode['type'];
  readonly state: 'pending' | 'running' | 'retrying' | 'waiting' | 'succeeded' | 'failed' | 'skipped' | 'cancelled';
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly attempt: number;
  /** Of a node that waits: until when. */
  readonly until?: number;
  readonly error?: NodeError;
  /** A failure that something takes care of. */
  readonly handled?: boolean;
  readonly skipReason?: string;
  /** Of a loop: items begun and ended, and how many there are when that is known. */
  readonly items?: { readonly begun: number; readonly ended: number; readonly total?: number };
  /** Path of the inner node of a loop or child workflow that started last and has not ended. */
  readonly inner?: string;
  /** Of an agent: what it says or calls right now. */
  readonly activity?: string;
}

/** What has happened so far, kept up to date event by event. */
export interface Progress {
  readonly nodes: readonly NodeProgress[];
  /** Indexes of the nodes that the run schedules; the others run inside agents that invoke them. */
  readonly scheduled: readonly number[];
  /** Indexes of nodes that have started and not ended, oldest first. */
  readonly active: ReadonlySet<number>;
  /** Indexes of nodes in the order in which they ended; skipped ones are not in it. */
  readonly ended: readonly number[];
  readonly counts: Readonly<Record<NodeProgress['state'], number>>;
  readonly startedAt: number | undefined;
  apply(event: RunEvent | StreamedEvent): void;
  /** Ids of what a pending node waits for, in file order; empty when it waits for its turn. */
  waitsFor(index: number): readonly string[];
}

export function createProgress(plan: Plan): Progress {
  const { nodes: planned, edges } = plan.root;
  const indexById = new Map(planned.map((node) => [node.id, node.index]));
  const scheduled = planned.filter((node) => node.type !== 'agent' || !node.invokeOnly);
  const nodes: NodeProgress[] = planned.map(({ id, type }) => ({ id, type, state: 'pending', attempt: 0 }));
  const active = new Set<number>();
  const ended: number[] = [];
  const counts = { pending: scheduled.length, running: 0, retrying: 0, waiting: 0, succeeded: 0, failed: 0, skipped: 0, cancelled: 0 };
  let startedAt: number | undefined;

  const update = (index: number, change: Partial<NodeProgress>): void => {
    const before = nodes[index] as NodeProgress;
    const after: NodeProgress = { ...before, ...change };
    nodes[index] = after;
    if (after.state === before.state) return;
    counts[before.state]--;
    counts[after.state]++;
    if (isOver(after)) {
      active.delete(index);
      if (after.state !== 'skipped') ended.push(index);
    } else active.add(index);
  };

  const own = (index: number, event: NodeEvent, at: number): void => {
    switch (event.type) {
      case 'node:started':
        return update(index, {
          state: 'running',
          startedAt: (nodes[index] as NodeProgress).startedAt ?? at,
          attempt: event.attempt,
          ...(event.loop === undefined
            ? {}
            : { items: { begun: 0, ended: 0, ...(event.loop.items === undefined ? {} : { total: event.loop.items.length }) } }),
        });
      case 'node:waiting':
        return update(index, { state: 'waiting', ...(event.until === undefined ? {} : { until: Date.parse(event.until) }) });
      case 'node:retrying':
        return update(index, { state: 'retrying', error: event.error, until: Date.parse(event.until) });
      case 'node:succeeded':
        return update(index, { state: 'succeeded', endedAt: at });
      case 'node:failed':
        return update(index, { state: 'failed', endedAt: at, error: event.error, handled: event.handled });
      case 'node:skipped':
        return update(index, { state: 'skipped', endedAt: at, skipReason: event.reason });
      case 'node:cancelled':
        return update(index, { state: 'cancelled', endedAt: at });
      case 'loop:item_started':
        return countItem(index, 1, 0);
      case 'loop:item_completed':
        return countItem(index, 0, 1);
      default:
        return;
    }
  };

  const countItem = (index: number, begun: number, over: number): void => {
    const items = nodes[index]?.items ?? { begun: 0, ended: 0 };
    update(index, { items: { ...items, begun: items.begun + begun, ended: items.ended + over } });
  };

  const act = (index: number, activity: string): void => {
    if (activity !== '') nodes[index] = { ...(nodes[index] as NodeProgress), activity };
  };

  const within = (index: number, event: NodeEvent): void => {
    if (event.type === 'node:started') update(index, { inner: event.node });
    else if (isEnd(event.type) && nodes[index]?.inner === event.node) {
      const { inner: _, ...rest } = nodes[index] as NodeProgress;
      nodes[index] = rest;
    }
  };

  return {
    nodes,
    scheduled: scheduled.map(({ index }) => index),
    active,
    ended,
    counts,
    get startedAt(): number | undefined {
      return startedAt;
    },
    apply(event) {
      const at = Date.parse(event.ts);
      if (event.type === 'run:started') startedAt = at;
      if (!('node' in event) || event.node === undefined) return;
      const root = rootId(event.node);
      const index = indexById.get(root);
      if (index === undefined) return;
      if (event.type === 'agent:text') return act(index, lastLine((nodes[index]?.activity ?? '') + event.text));
      if (event.type === 'agent:tool_call') return act(index, `${event.tool}…\n`);
      if (root === event.node) own(index, event as NodeEvent, at);
      else within(index, event as NodeEvent);
    },
    waitsFor(index) {
      const sources = new Set((planned[index]?.in ?? []).map((edge) => edges[edge]?.from as number));
      return [...sources].sort((a, b) => a - b).flatMap((source) => (isOver(nodes[source]) ? [] : [(nodes[source] as NodeProgress).id]));
    },
  };
}

type NodeEvent = Extract<RunEvent, { readonly node: string }>;

/** What a model says last, with room for a line of a terminal. */
function lastLine(text: string): string {
  const line = text.slice(text.trimEnd().lastIndexOf('\n') + 1);
  return line.slice(-200);
}

function isOver(node: NodeProgress | undefined): boolean {
  return node?.state === 'succeeded' || node?.state === 'failed' || node?.state === 'skipped' || node?.state === 'cancelled';
}

function isEnd(type: string): boolean {
  return type === 'node:succeeded' || type === 'node:failed' || type === 'node:cancelled' || type === 'node:skipped';
}

/** The node of the outermost workflow that a path leads through: `each` of `each[2].step`. */
function rootId(path: string): string {
  const end = path.search(/[./[]/);
  return end < 0 ? path : path.slice(0, end);
}
