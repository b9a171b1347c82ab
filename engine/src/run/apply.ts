import type { EdgeVerdicts, NodeFailed, NodeStarted, NodeSucceeded, RunEvent } from '../events/run-event.js';
import type { Json } from '../json.js';
import type { PlanEdge, PlanNode } from '../plan/plan.js';
import { instantOf } from './instant.js';
import type { NodeError } from './node-error.js';
import { CHILD_KEY, isInvoked, itemScopePath, nodeIndex, nodePath, splitNodePath, splitScopePath } from './node-path.js';
import { PersistentVector } from './persistent-vector.js';
import {
  copyOf,
  type EdgeState,
  entries,
  type ItemError,
  isContainer,
  isEnded,
  type LoopState,
  type Mutable,
  type NewScope,
  type NodeState,
  openScope,
  type RunState,
  type ScopeState,
} from './run-state.js';

export interface NodeRef {
  readonly scope: string;
  readonly index: number;
}

export interface News {
  /** Nodes that may start now: their join is satisfied and their lock, if any, is theirs. */
  readonly ready: NodeRef[];
  /** Nodes whose in-edges have all ended and whose join is not satisfied. */
  readonly dead: NodeRef[];
  /** Scopes whose nodes have all ended. */
  readonly closed: string[];
  /** Nodes that were told to stop while they only waited: nobody but the run can end them. */
  readonly stopped: NodeRef[];
}

/** The run apart from its scopes, as the events so far have made it. */
export type RunHead = Omit<RunState, 'root'>;

/**
 * A run's state while events are applied to it. This is the only place where a state changes, and events are the only cause:
 * `transition` decides which events follow from an input, `fold` replays them, and both come through here.
 *
 * Invariants: what `RunState` objects already handed out hold is never written to, since a scope is copied before its first write here;
 * with a scope all scopes around it are copied.
 */
export class Draft {
  private readonly state: Mutable<RunState>;
  /** Most steps write to the outermost scope and to no other. */
  private root: Mutable<ScopeState> | undefined;
  private inner: Map<string, Mutable<ScopeState>> | undefined;
  /** What was made last of which state: the branches of a fan begin alike and share what they become. */
  private lastStarted: { readonly before: NodeState; readonly after: NodeState } | undefined;
  private lastSettled: { readonly before: NodeState; readonly change: Change; readonly after: NodeState } | undefined;
  /** What the events applied since the last `takeNews` have brought about. */
  private news: News | undefined;

  constructor(state: RunState) {
    this.state = { ...state };
  }

  get head(): RunHead {
    return this.state;
  }

  /** The state that the events have led to. The draft must not be used afterwards. */
  finished(): RunState {
    for (const path of this.touched()) if (path !== '') this.hang(this.inner!.get(path)!);
    if (this.root !== undefined) this.state.root = this.root;
    return this.state;
  }

  /** Paths of the scopes that were written to, inner ones first. */
  touched(): readonly string[] {
    const outermost = this.root === undefined ? NONE : OUTERMOST;
    if (this.inner === undefined || this.inner.size === 0) return outermost;
    return [...[...this.inner.keys()].sort((one, other) => other.length - one.length), ...outermost];
  }

  /** Undefined: nothing follows. */
  takeNews(): News | undefined {
    const { news } = this;
    this.news = undefined;
    return news;
  }

  private tell(): News {
    this.news ??= { ready: [], dead: [], closed: [], stopped: [] };
    return this.news;
  }

  scope(path: string): ScopeState {
    const scope = this.openScope(path);
    if (scope === undefined) throw new Error(`no open scope "${path}"`);
    return scope;
  }

  /** The scope of a path, or undefined when it has ended. */
  openScope(path: string): ScopeState | undefined {
    if (path === '') return this.root ?? this.state.root;
    const written = this.inner?.get(path);
    if (written !== undefined) return written;
    const { container, key } = splitScopePath(path);
    return this.findOpen(container, (scope, index) => scope.nodes.get(index).inner?.get(key));
  }

  apply(event: RunEvent): void {
    this.state.seq = event.seq + 1;
    // An invoked agent lives inside its caller's execution: what happens to it is the caller's affair.
    if ('node' in event && event.node !== undefined && isInvoked(event.node)) return;
    switch (event.type) {
      case 'run:started':
        this.state.status = 'running';
        this.state.startedAt = event.ts;
        this.state.activeSince = instantOf(event.ts);
        return this.opened('');
      case 'run:waiting':
        this.state.status = 'waiting';
        this.state.activeMs += instantOf(event.ts) - (this.state.activeSince ?? 0);
        delete this.state.activeSince;
        return;
      case 'run:resumed':
        this.state.status = 'running';
        this.state.activeSince = instantOf(event.ts);
        return;
      case 'run:stopping': {
        this.state.stopping = { reason: event.reason, final: event.final };
        this.write('').ending = 'run_cancelled';
        return;
      }
      case 'run:succeeded':
      case 'run:failed':
      case 'run:cancelled':
        this.state.status = event.type.slice('run:'.length) as 'succeeded' | 'failed' | 'cancelled';
        this.state.outputs = event.outputs;
        if (event.type === 'run:failed') this.state.error = event.error;
        return;
      case 'node:started':
        return this.nodeStarted(event, instantOf(event.ts));
      case 'node:waiting':
        return this.nodeWaits(event.node, 'waiting', event.until === undefined ? undefined : instantOf(event.until));
      case 'node:retrying':
        return this.nodeWaits(event.node, 'retry', instantOf(event.until));
      case 'node:resumed':
        return this.nodeResumed(event.node);
      case 'node:stopping':
        return this.nodeStopping(event.node, event.reason);
      case 'node:succeeded':
        return this.nodeSucceeded(event);
      case 'node:failed':
        return this.nodeFailed(event);
      case 'node:cancelled': {
        const { scope, index } = this.find(event.node);
        const lostRace = event.reason === 'lost_race';
        this.end(
          scope,
          index,
          { status: 'cancelled' },
          (edge, position) => edge.on === 'always' && !lostRace && holds(edge, position, event.edges),
        );
        return event.edges?.error === undefined ? undefined : this.fail(scope, event.edges.error);
      }
      case 'node:skipped': {
        const { scope, index } = this.find(event.node);
        return this.end(scope, index, { status: 'skipped' }, () => false);
      }
      case 'loop:item_started':
        return this.itemStarted(event.node, event.index, event.seq);
      case 'loop:item_completed': {
        const { scope, index } = this.find(event.node);
        const loop = this.scope(scope).nodes.get(index).loop!;
        this.close(scope, index, event.index, itemScopePath(event.node, event.index));
        this.update(scope, index, { loop: withItem(loop, event.index, event.ok ? event.value : undefined, event) });
        if (event.error !== undefined) this.itemFailed(scope, index);
        return;
      }
      case 'loop:exhausted': {
        const { scope, index } = this.find(event.node);
        return this.update(scope, index, { loop: { ...this.scope(scope).nodes.get(index).loop!, done: true } });
      }
      case 'gate:opened': {
        if (event.tree === undefined) return;
        const { scope, index } = this.find(event.node);
        return this.update(scope, index, { tree: event.tree });
      }
      case 'cost:updated':
        this.state.spent = { usage: event.usage, cost: event.cost };
        return;
      case 'gate:decided':
      case 'tool:call':
      case 'tool:result':
      case 'agent:turn_completed':
      case 'agent:tool_call':
      case 'agent:tool_result':
      case 'agent:failover':
      case 'effect:prepared':
      case 'effect:settled':
      case 'effect:needs_attention':
      case 'effect:resolved':
      case 'budget:warning':
      case 'budget:waiting':
      case 'log':
        return;
      default:
        return event satisfies never;
    }
  }

  find(path: string): NodeRef {
    const found = this.findOpen(path, (scope, index) => ({ scope: scope.path, index }));
    if (found === undefined) throw new Error(`no node "${path}"`);
    return found;
  }

  /** What `read` makes of the scope and index of a node's path; undefined when its scope has ended. */
  findOpen<T>(path: string, read: (scope: ScopeState, index: number) => T): T | undefined {
    const { scope: scopePath, id } = splitNodePath(path);
    const scope = this.openScope(scopePath);
    const index = scope === undefined ? undefined : nodeIndex(scope.plan, id);
    return scope === undefined || index === undefined ? undefined : read(scope, index);
  }

  isOpen(scope: string): boolean {
    return this.openScope(scope) !== undefined;
  }

  private write(path: string): Mutable<ScopeState> {
    if (path === '') {
      this.root ??= { ...this.state.root };
      return this.root;
    }
    const written = this.inner?.get(path);
    if (written !== undefined) return written;
    const scope = this.scope(path);
    this.write(scope.parent!.scope);
    const copy = { ...scope };
    this.keep(copy);
    return copy;
  }

  private keep(scope: Mutable<ScopeState>): void {
    this.inner ??= new Map();
    this.inner.set(scope.path, scope);
  }

  /** Puts a scope into the node that it belongs to. */
  private hang(scope: ScopeState): void {
    const parent = scope.parent!;
    const node = this.scope(parent.scope).nodes.get(parent.node);
    const inner = new Map(node.inner).set(scope.item?.index ?? CHILD_KEY, scope);
    this.update(parent.scope, parent.node, { inner });
  }

  private close(scope: string, index: number, key: number, path: string): void {
    const inner = new Map(this.scope(scope).nodes.get(index).inner);
    inner.delete(key);
    this.inner?.delete(path);
    this.update(scope, index, { inner: inner.size === 0 ? undefined : inner });
  }

  private update(scope: string, index: number, patch: Partial<NodeState>): void {
    const target = this.write(scope);
    target.nodes = target.nodes.set(index, { ...target.nodes.get(index), ...patch }, this.state);
  }

  private nodeStarted(event: NodeStarted, at: number): void {
    const { scope: scopePath, index } = this.find(event.node);
    const scope = this.scope(scopePath);
    const node = scope.plan.nodes[index]!;
    const before = scope.nodes.get(index);
    this.count(scopePath, load(before, true), isContainer(node.type) ? IDLE : ACTIVE);
    const target = this.write(scopePath);
    const started = this.startedFrom(before, event, at);
    target.nodes = target.nodes.set(index, started, this.state);
    if (node.type === 'merge' && node.race?.losers === 'finish') this.unreadLosers(target, node.race.region);
    if (node.type === 'subworkflow' && event.child !== undefined) {
      const child = this.state.root.workflow.children[node.child]!;
      this.open({
        path: event.node,
        since: event.seq,
        plan: child.root,
        workflow: child,
        inputs: event.child.inputs,
        context: event.child.context,
        parent: { scope: scopePath, node: index },
        depth: scope.depth + 1,
      });
    }
  }

  private startedFrom(before: NodeState, { attempt, loop }: NodeStarted, at: number): NodeState {
    const last = this.lastStarted;
    if (last !== undefined && last.before === before && last.after.attempt === attempt && last.after.startedAt === at && loop === undefined)
      return last.after;
    const after = copyOf(before);
    after.status = 'running';
    after.attempt = attempt;
    after.startedAt = at;
    after.until = undefined;
    after.waitsFor = undefined;
    after.error = undefined;
    after.loop = loop === undefined ? undefined : newLoop(loop.items, loop.initial);
    if (loop === undefined) this.lastStarted = { before, after };
    return after;
  }

  private settledFrom(before: NodeState, change: Change): NodeState {
    const last = this.lastSettled;
    if (last !== undefined && last.before === before && isSame(last.change, change)) return last.after;
    const after = copyOf(before);
    after.unsettled -= 1;
    if (change.isLive) after.live += 1;
    if (change.hasArrived) after.arrived += 1;
    after.handler ||= change.isHandler;
    if (change.becomesReady) after.status = 'ready';
    this.lastSettled = { before, change, after };
    return after;
  }

  private unreadLosers(scope: Mutable<ScopeState>, region: readonly number[]): void {
    for (const index of region) {
      const node = scope.nodes.get(index);
      if (!isEnded(node.status)) scope.nodes = scope.nodes.set(index, { ...node, unread: true }, this.state);
    }
  }

  private open(scope: NewScope): void {
    const opened = openScope(scope);
    this.write(scope.parent!.scope);
    this.keep(opened);
    this.hang(opened);
    this.opened(scope.path);
  }

  private opened(path: string): void {
    const { plan } = this.scope(path);
    for (const index of entries(plan)) this.ready(path, plan.nodes[index]!);
    if (this.scope(path).open === 0) this.tell().closed.push(path);
  }

  private nodeWaits(path: string, kind: 'retry' | 'waiting', until: number | undefined): void {
    const { scope, index } = this.find(path);
    const node = this.scope(scope).nodes.get(index);
    const { type } = this.scope(scope).plan.nodes[index]!;
    if (kind === 'waiting' && isContainer(type)) return this.update(scope, index, { status: 'waiting', waitsFor: 'inner' });
    const waitsFor = kind === 'retry' ? 'retry' : type === 'human_gate' ? 'gate' : 'instant';
    this.count(scope, load(node, !isContainer(type)), WAITING);
    if (isContainer(type)) this.inner?.delete(path);
    this.update(scope, index, { status: 'waiting', waitsFor, until, stopping: undefined, inner: undefined });
  }

  /** A back-off is over and the node stands in line again, or something in a container goes on. */
  private nodeResumed(path: string): void {
    const { scope, index } = this.find(path);
    const node = this.scope(scope).nodes.get(index);
    if (node.waitsFor === 'inner') return this.update(scope, index, { status: 'running', waitsFor: undefined });
    this.count(scope, load(node, true), ACTIVE);
    this.update(scope, index, { status: 'ready', waitsFor: undefined, until: undefined });
  }

  private nodeStopping(path: string, reason: NonNullable<NodeState['stopping']>): void {
    const { scope, index } = this.find(path);
    const { status, waitsFor } = this.scope(scope).nodes.get(index);
    if (status === 'waiting' && waitsFor !== 'inner') this.tell().stopped.push({ scope, index });
    this.update(scope, index, { stopping: reason });
    for (const inner of this.innerPaths(scope, index)) this.write(inner).ending = reason;
  }

  /** Paths of a container's open scopes, in order of their keys. */
  innerPaths(scope: string, index: number): readonly string[] {
    const inner = this.scope(scope).nodes.get(index).inner;
    if (inner === undefined) return [];
    return [...inner].sort(([one], [other]) => one - other).map(([, { path }]) => path);
  }

  private nodeSucceeded(event: NodeSucceeded): void {
    const { scope, index } = this.find(event.node);
    this.end(scope, index, { status: 'succeeded', output: event.output ?? null, captured: event.captured }, (edge, position) => {
      if (edge.on === 'error') return false;
      if (edge.handle !== undefined && edge.handle !== event.selected) return false;
      return holds(edge, position, event.edges);
    });
    if (event.edges?.error !== undefined) this.fail(scope, event.edges.error);
  }

  private nodeFailed(event: NodeFailed): void {
    const { scope, index } = this.find(event.node);
    const node = this.scope(scope).plan.nodes[index]!;
    const goesOn = node.continueOnError;
    this.end(scope, index, { status: 'failed', error: event.error }, (edge, position) => {
      if (edge.on === 'success' && !(goesOn && edge.handle === undefined)) return false;
      if (edge.on === 'error' && !catches(edge, event.error.code, this.state.stopping !== undefined)) return false;
      return holds(edge, position, event.edges);
    });
    if (!event.handled) this.fail(scope, event.error);
    if (event.edges?.error !== undefined) this.fail(scope, event.edges.error);
  }

  /** The first failure of a scope that nothing handled. What fails once the whole run stops is not what ended it. */
  private fail(scopePath: string, error: NodeError): void {
    const scope = this.write(scopePath);
    if (scopePath === '' && this.state.stopping !== undefined) return;
    scope.error ??= error;
    if (scope.workflow.onFailure === 'fail_fast') scope.ending ??= 'failed';
  }

  private end(
    scopePath: string,
    index: number,
    { status, output, captured, error }: End,
    isLive: (edge: PlanEdge, position: number) => boolean,
  ): void {
    const scope = this.write(scopePath);
    const before = scope.nodes.get(index);
    const plan = scope.plan.nodes[index]!;
    const path = nodePath(scopePath, plan.id);
    const isCounted =
      before.status === 'ready'
        ? this.holdsLock(plan, path)
        : before.waitsFor !== 'inner' && !(isContainer(plan.type) && before.status === 'running');
    this.count(scopePath, load(before, isCounted), IDLE);
    const ended = copyOf(before);
    nothingUnderWay(ended);
    ended.status = status;
    ended.output = output;
    ended.captured = captured;
    ended.error = error;
    scope.nodes = scope.nodes.set(index, ended, this.state);
    scope.open -= 1;
    if (isContainer(plan.type)) this.inner?.delete(path);
    if (plan.lock !== undefined) this.unlock(plan.lock, path);
    if (scope.open === 0) this.tell().closed.push(scopePath);
    const isHandler = before.handler;
    for (let position = 0; position < plan.out.length; position++) {
      const edgeIndex = plan.out[position]!;
      const edge = scope.plan.edges[edgeIndex]!;
      const state: EdgeState = isLive(edge, position) ? 'live' : 'dead';
      scope.edges = scope.edges.set(edgeIndex, state, this.state);
      this.settle(scope, scopePath, edge, state, status === 'succeeded', isHandler);
    }
  }

  private settle(
    scope: Mutable<ScopeState>,
    scopePath: string,
    edge: PlanEdge,
    state: EdgeState,
    succeeded: boolean,
    fromHandler: boolean,
  ): void {
    const before = scope.nodes.get(edge.to);
    const isLive = state === 'live';
    const plan = scope.plan.nodes[edge.to]!;
    const hasArrived = isLive && succeeded;
    const becomesReady =
      before.status === 'pending' &&
      joins(plan, before.unsettled - 1, before.live + (isLive ? 1 : 0), before.arrived + (hasArrived ? 1 : 0));
    const isHandler = isLive && (edge.on !== 'success' || fromHandler);
    const after = this.settledFrom(before, { isLive, hasArrived, isHandler, becomesReady });
    scope.nodes = scope.nodes.set(edge.to, after, this.state);
    if (becomesReady) this.ready(scopePath, plan);
    else if (after.status === 'pending' && after.unsettled === 0) this.tell().dead.push({ scope: scopePath, index: edge.to });
  }

  private ready(scopePath: string, plan: PlanNode): void {
    if (plan.lock !== undefined && !this.lock(plan.lock, nodePath(scopePath, plan.id))) return;
    this.count(scopePath, IDLE, ACTIVE);
    this.tell().ready.push({ scope: scopePath, index: plan.index });
  }

  /** Queues a node for a lock; true if it is its turn. */
  private lock(lock: string, path: string): boolean {
    const queue = [...(this.state.locks.get(lock) ?? []), path];
    this.state.locks = new Map(this.state.locks).set(lock, queue);
    return queue.length === 1;
  }

  private holdsLock(plan: PlanNode, path: string): boolean {
    return plan.lock === undefined || this.state.locks.get(plan.lock)?.[0] === path;
  }

  private unlock(lock: string, path: string): void {
    const queue = this.state.locks.get(lock) ?? [];
    const left = queue.filter((waiting) => waiting !== path);
    const locks = new Map(this.state.locks);
    if (left.length === 0) locks.delete(lock);
    else locks.set(lock, left);
    this.state.locks = locks;
    if (queue[0] !== path || left[0] === undefined) return;
    const next = this.find(left[0]);
    this.count(next.scope, IDLE, ACTIVE);
    this.tell().ready.push(next);
  }

  /** Keeps `active` and `waiting` of a scope and of those around it in step with a node's change. */
  private count(path: string, before: Load, after: Load): void {
    const active = after.active - before.active;
    const waiting = after.waiting - before.waiting;
    if (active === 0 && waiting === 0) return;
    for (let scope = this.write(path); ; scope = this.write(scope.parent.scope)) {
      scope.active += active;
      scope.waiting += waiting;
      if (scope.parent === undefined) return;
    }
  }

  /** Under `on_item_error: fail` the first failed item ends the others. */
  private itemFailed(scopePath: string, index: number): void {
    const plan = this.scope(scopePath).plan.nodes[index]!;
    if (plan.type !== 'loop' || plan.onItemError !== 'fail') return;
    for (const item of this.innerPaths(scopePath, index)) this.write(item).ending ??= 'item_failed';
  }

  private itemStarted(path: string, item: number, since: number): void {
    const { scope: scopePath, index } = this.find(path);
    const scope = this.scope(scopePath);
    const loop = scope.nodes.get(index).loop!;
    const plan = scope.plan.nodes[index]!;
    if (plan.type !== 'loop') throw new Error(`"${path}" is no loop`);
    this.update(scopePath, index, { loop: { ...loop, next: item + 1, running: loop.running + 1 } });
    this.open({
      path: itemScopePath(path, item),
      since,
      plan: plan.body,
      workflow: scope.workflow,
      inputs: scope.inputs,
      context: scope.context,
      parent: { scope: scopePath, node: index },
      item: { index: item, prev: loop.prev, ...(loop.items === undefined ? {} : { value: loop.items[item]! }) },
      depth: scope.depth,
    });
  }
}

const NONE: readonly string[] = [];
const OUTERMOST: readonly string[] = [''];

/** What becomes of a node that ends. */
type End = Pick<NodeState, 'status'> & Partial<Pick<NodeState, 'output' | 'captured' | 'error'>>;

function nothingUnderWay(node: Mutable<NodeState>): void {
  node.loop = undefined;
  node.inner = undefined;
  node.waitsFor = undefined;
  node.until = undefined;
  node.stopping = undefined;
}

/** What a node adds to the counts of its scope. */
interface Load {
  readonly active: number;
  readonly waiting: number;
}

const IDLE: Load = { active: 0, waiting: 0 };
const ACTIVE: Load = { active: 1, waiting: 0 };
const WAITING: Load = { active: 0, waiting: 1 };

function load(node: NodeState, isCounted: boolean): Load {
  if (!isCounted) return IDLE;
  if (node.status === 'ready' || node.status === 'running') return ACTIVE;
  return node.status === 'waiting' ? WAITING : IDLE;
}

function holds(edge: PlanEdge, position: number, verdicts: EdgeVerdicts | undefined): boolean {
  return edge.condition === undefined || verdicts?.conditions[position] === true;
}

/** Whether an error edge takes a code. While the whole run stops no error edge does. */
export function catches(edge: PlanEdge, code: string, isStopping: boolean): boolean {
  return !isStopping && (edge.codes === undefined || edge.codes.includes(code));
}

/** What the end of an in-edge means for a node. */
interface Change {
  readonly isLive: boolean;
  /** Live, and its source succeeded. */
  readonly hasArrived: boolean;
  readonly isHandler: boolean;
  readonly becomesReady: boolean;
}

function isSame(one: Change, other: Change): boolean {
  return (
    one.isLive === other.isLive &&
    one.hasArrived === other.hasArrived &&
    one.isHandler === other.isHandler &&
    one.becomesReady === other.becomesReady
  );
}

function joins(plan: PlanNode, unsettled: number, live: number, arrived: number): boolean {
  if (plan.type === 'merge' && plan.race !== undefined) return arrived >= plan.race.count;
  if (unsettled > 0) return false;
  return plan.join === 'require_all' ? live === plan.in.length : live > 0;
}

function newLoop(items: readonly Json[] | undefined, initial: Json | undefined): LoopState {
  return {
    ...(items === undefined ? {} : { items }),
    next: 0,
    running: 0,
    results: PersistentVector.from<Json>([]),
    errors: PersistentVector.from<ItemError>([]),
    prev: initial,
    prevIndex: -1,
    done: false,
  };
}

function withItem(
  loop: LoopState,
  index: number,
  value: Json | undefined,
  event: { readonly error?: NodeFailed['error']; readonly done?: boolean },
): LoopState {
  let results = loop.results;
  while (results.length <= index) results = results.push(null);
  if (value !== undefined) results = results.set(index, value);
  const carries = value !== undefined && index > loop.prevIndex;
  const error = event.error;
  return {
    ...loop,
    running: loop.running - 1,
    results,
    errors: error === undefined ? loop.errors : loop.errors.push({ index, code: error.code, message: error.message, path: error.path }),
    prev: carries ? value : loop.prev,
    prevIndex: carries ? index : loop.prevIndex,
    done: loop.done || event.done === true,
    ...(error !== undefined && loop.failure === undefined ? { failure: error } : {}),
  };
}
