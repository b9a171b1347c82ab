import type { NodeFailed, NodeStarted, NodeSucceeded, RunEvent } from '../events/run-event.js';
import type { Json } from '../json.js';
import type { PlanEdge, PlanNode } from '../plan/plan.js';
import { instantOf } from './instant.js';
import type { NodeError } from './node-error.js';
import { itemScopePath, nodeIndex, nodePath, splitNodePath } from './node-path.js';
import { PersistentVector } from './persistent-vector.js';
import {
  type EdgeState,
  entries,
  type ItemError,
  isContainer,
  isEnded,
  type LoopState,
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
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * A run's state while events are applied to it. This is the only place where a state changes, and events are the only cause:
 * `transition` decides which events follow from an input, `fold` replays them, and both come through here.
 *
 * Invariant: what `RunState` objects already handed out hold is never written to; maps and scopes are copied before the first write.
 */
export class Draft {
  private readonly state: Mutable<RunState>;
  private readonly scopes: Map<string, ScopeState>;
  private readonly copied = new Set<string>();
  /** What the events applied since the last `takeNews` have brought about. */
  private news: News = { ready: [], dead: [], closed: [] };

  constructor(state: RunState) {
    this.scopes = new Map(state.scopes);
    this.state = { ...state, scopes: this.scopes };
  }

  /** The state so far. The draft must not be used after it is taken for good. */
  get current(): RunState {
    return this.state;
  }

  takeNews(): News {
    const news = this.news;
    this.news = { ready: [], dead: [], closed: [] };
    return news;
  }

  scope(path: string): ScopeState {
    const scope = this.scopes.get(path);
    if (scope === undefined) throw new Error(`no open scope "${path}"`);
    return scope;
  }

  apply(event: RunEvent): void {
    this.state.seq = event.seq + 1;
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
      case 'node:stopping':
        return this.nodeStopping(event.node, event.reason);
      case 'node:succeeded':
        return this.nodeSucceeded(event);
      case 'node:failed':
        return this.nodeFailed(event);
      case 'node:cancelled': {
        const { scope, index } = this.find(event.node);
        const lostRace = event.reason === 'lost_race';
        return this.end(scope, index, { status: 'cancelled' }, (edge) => edge.on === 'always' && !lostRace);
      }
      case 'node:skipped': {
        const { scope, index } = this.find(event.node);
        return this.end(scope, index, { status: 'skipped' }, () => false);
      }
      case 'loop:item_started':
        return this.itemStarted(event.node, event.index);
      case 'loop:item_completed': {
        const { scope, index } = this.find(event.node);
        const loop = this.scope(scope).nodes.get(index).loop!;
        this.scopes.delete(itemScopePath(event.node, event.index));
        this.update(scope, index, { loop: withItem(loop, event.index, event.ok ? (event.value ?? null) : undefined, event) });
        if (event.error !== undefined) this.itemFailed(scope, index);
        return;
      }
      case 'loop:exhausted': {
        const { scope, index } = this.find(event.node);
        return this.update(scope, index, { loop: { ...this.scope(scope).nodes.get(index).loop!, done: true } });
      }
      case 'gate:opened':
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
      case 'cost:updated':
      case 'log':
        return;
      default:
        return event satisfies never;
    }
  }

  find(path: string): NodeRef {
    const { scope, id } = splitNodePath(path);
    const index = nodeIndex(this.scope(scope).plan, id);
    if (index === undefined) throw new Error(`no node "${path}"`);
    return { scope, index };
  }

  isOpen(scope: string): boolean {
    return this.scopes.has(scope);
  }

  /** As `find`, but undefined when the scope has ended. */
  findOpen(path: string): NodeRef | undefined {
    return this.scopes.has(splitNodePath(path).scope) ? this.find(path) : undefined;
  }

  private write(path: string): Mutable<ScopeState> {
    const scope = this.scope(path);
    if (this.copied.has(path)) return scope;
    this.copied.add(path);
    const copy = { ...scope };
    this.scopes.set(path, copy);
    return copy;
  }

  private update(scope: string, index: number, patch: Partial<NodeState>): void {
    const target = this.write(scope);
    target.nodes = target.nodes.set(index, { ...target.nodes.get(index), ...patch });
  }

  private nodeStarted(event: NodeStarted, at: number): void {
    const { scope: scopePath, index } = this.find(event.node);
    const scope = this.scope(scopePath);
    const node = scope.plan.nodes[index]!;
    const before = scope.nodes.get(index);
    if (isContainer(node.type)) this.count(before, undefined);
    else this.count(before, 'running');
    const target = this.write(scopePath);
    target.nodes = target.nodes.set(index, {
      ...before,
      status: 'running',
      attempt: event.attempt,
      startedAt: at,
      until: undefined,
      waitsFor: undefined,
      error: undefined,
      loop: event.loop === undefined ? undefined : newLoop(event.loop.items, event.loop.initial),
    });
    if (node.type === 'merge' && node.race?.losers === 'finish') this.unreadLosers(target, node.race.region);
    if (node.type === 'subworkflow' && event.child !== undefined) {
      const child = this.state.scopes.get('')!.workflow.children[node.child]!;
      this.open({
        path: event.node,
        plan: child.root,
        workflow: child,
        inputs: event.child.inputs,
        context: event.child.context,
        parent: { scope: scopePath, node: index },
        depth: scope.depth + 1,
      });
    }
  }

  private unreadLosers(scope: Mutable<ScopeState>, region: readonly number[]): void {
    for (const index of region) {
      const node = scope.nodes.get(index);
      if (!isEnded(node.status)) scope.nodes = scope.nodes.set(index, { ...node, unread: true });
    }
  }

  private open(scope: NewScope): void {
    this.scopes.set(scope.path, openScope(scope));
    this.copied.add(scope.path);
    this.opened(scope.path);
  }

  private opened(path: string): void {
    const { plan } = this.scope(path);
    for (const index of entries(plan)) this.ready(path, plan.nodes[index]!);
  }

  private nodeWaits(path: string, kind: 'retry' | 'waiting', until: number | undefined): void {
    const { scope, index } = this.find(path);
    const node = this.scope(scope).nodes.get(index);
    const plan = this.scope(scope).plan.nodes[index]!;
    this.count(isContainer(plan.type) ? undefined : node, 'waiting');
    const waitsFor = kind === 'retry' ? 'retry' : plan.type === 'human_gate' ? 'gate' : 'instant';
    if (isContainer(plan.type)) this.scopes.delete(path);
    this.update(scope, index, { status: 'waiting', waitsFor, until });
  }

  private nodeStopping(path: string, reason: NodeState['stopping']): void {
    const { scope, index } = this.find(path);
    this.update(scope, index, { stopping: reason! });
    const plan = this.scope(scope).plan.nodes[index]!;
    if (plan.type === 'subworkflow' && this.scopes.has(path)) this.write(path).ending = reason!;
    if (plan.type === 'loop') {
      for (const [key, inner] of this.scopes) {
        if (inner.parent?.scope === scope && inner.parent.node === index) this.write(key).ending = reason!;
      }
    }
  }

  private nodeSucceeded(event: NodeSucceeded): void {
    const { scope, index } = this.find(event.node);
    this.end(scope, index, { status: 'succeeded', output: event.output ?? null }, (edge, position) => {
      if (edge.on === 'error') return false;
      if (edge.handle !== undefined && edge.handle !== event.selected) return false;
      return edge.condition === undefined || event.edges?.conditions[position] === true;
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
      return edge.condition === undefined || event.edges?.conditions[position] === true;
    });
    if (!event.handled) this.fail(scope, event.error);
    if (event.edges?.error !== undefined) this.fail(scope, event.edges.error);
  }

  /** The first failure of a scope that nothing handled. */
  private fail(scopePath: string, error: NodeError): void {
    const scope = this.write(scopePath);
    scope.error ??= error;
    if (scope.workflow.onFailure === 'fail_fast') scope.ending ??= 'failed';
  }

  private end(scopePath: string, index: number, patch: Partial<NodeState>, isLive: (edge: PlanEdge, position: number) => boolean): void {
    const scope = this.write(scopePath);
    const before = scope.nodes.get(index);
    const plan = scope.plan.nodes[index]!;
    this.count(isContainer(plan.type) && before.status === 'running' ? undefined : before, undefined);
    scope.nodes = scope.nodes.set(index, { ...before, ...NOTHING_UNDER_WAY, ...patch });
    scope.open -= 1;
    if (isContainer(plan.type)) this.scopes.delete(nodePath(scopePath, plan.id));
    if (plan.lock !== undefined) this.unlock(plan.lock, nodePath(scopePath, plan.id));
    if (scope.open === 0) this.news.closed.push(scopePath);
    const isHandler = before.handler;
    for (let position = 0; position < plan.out.length; position++) {
      const edgeIndex = plan.out[position]!;
      const edge = scope.plan.edges[edgeIndex]!;
      const state: EdgeState = isLive(edge, position) ? 'live' : 'dead';
      scope.edges = scope.edges.set(edgeIndex, state);
      this.settle(scope, scopePath, edge, state, patch.status === 'succeeded', isHandler);
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
    const after: NodeState = {
      ...before,
      unsettled: before.unsettled - 1,
      live: before.live + (isLive ? 1 : 0),
      arrived: before.arrived + (isLive && succeeded ? 1 : 0),
      handler: before.handler || (isLive && (edge.on !== 'success' || fromHandler)),
    };
    const plan = scope.plan.nodes[edge.to]!;
    const becomesReady = before.status === 'pending' && joins(plan, after);
    scope.nodes = scope.nodes.set(edge.to, becomesReady ? { ...after, status: 'ready' } : after);
    if (becomesReady) this.ready(scopePath, plan);
    else if (after.status === 'pending' && after.unsettled === 0) this.news.dead.push({ scope: scopePath, index: edge.to });
  }

  private ready(scopePath: string, plan: PlanNode): void {
    this.state.active += 1;
    if (plan.lock !== undefined && !this.lock(plan.lock, nodePath(scopePath, plan.id))) return;
    this.news.ready.push({ scope: scopePath, index: plan.index });
  }

  /** Queues a node for a lock; true if it is its turn. */
  private lock(lock: string, path: string): boolean {
    const queue = [...(this.state.locks.get(lock) ?? []), path];
    this.state.locks = new Map(this.state.locks).set(lock, queue);
    return queue.length === 1;
  }

  private unlock(lock: string, path: string): void {
    const queue = this.state.locks.get(lock) ?? [];
    const left = queue.filter((waiting) => waiting !== path);
    const locks = new Map(this.state.locks);
    if (left.length === 0) locks.delete(lock);
    else locks.set(lock, left);
    this.state.locks = locks;
    if (queue[0] === path && left[0] !== undefined) this.news.ready.push(this.find(left[0]));
  }

  /** Keeps `active` and `waiting` in step with a node's change of status. */
  private count(before: NodeState | undefined, after: 'running' | 'waiting' | undefined): void {
    if (before?.status === 'ready' || before?.status === 'running') this.state.active -= 1;
    if (before?.status === 'waiting') this.state.waiting -= 1;
    if (after === 'running') this.state.active += 1;
    if (after === 'waiting') this.state.waiting += 1;
  }

  /** Under `on_item_error: fail` the first failed item ends the others. */
  private itemFailed(scopePath: string, index: number): void {
    const plan = this.scope(scopePath).plan.nodes[index]!;
    if (plan.type !== 'loop' || plan.onItemError !== 'fail') return;
    for (const [path, scope] of this.scopes) {
      if (scope.parent?.scope === scopePath && scope.parent.node === index && scope.item !== undefined)
        this.write(path).ending ??= 'item_failed';
    }
  }

  private itemStarted(path: string, item: number): void {
    const { scope: scopePath, index } = this.find(path);
    const scope = this.scope(scopePath);
    const loop = scope.nodes.get(index).loop!;
    const plan = scope.plan.nodes[index]!;
    if (plan.type !== 'loop') throw new Error(`"${path}" is no loop`);
    this.update(scopePath, index, { loop: { ...loop, next: item + 1, running: loop.running + 1 } });
    this.open({
      path: itemScopePath(path, item),
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

const NOTHING_UNDER_WAY = { loop: undefined, waitsFor: undefined, until: undefined, stopping: undefined } as const;

/** Whether an error edge takes a code. While the whole run stops no error edge does. */
export function catches(edge: PlanEdge, code: string, isStopping: boolean): boolean {
  return !isStopping && (edge.codes === undefined || edge.codes.includes(code));
}

function joins(plan: PlanNode, node: NodeState): boolean {
  if (plan.type === 'merge' && plan.race !== undefined) return node.arrived >= plan.race.count;
  if (node.unsettled > 0) return false;
  return plan.join === 'require_all' ? node.live === plan.in.length : node.live > 0;
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
