import { type Evaluated, evaluate, type Lookup, type RunScope, type Scope } from '../expression/evaluate.js';
import type { Expression, Read } from '../expression/expression.js';
import type { Json } from '../json.js';
import type { LoopNodePlan } from '../plan/plan.js';
import type { ExpressionVm } from '../ports/expression-vm.js';
import type { NodeRef } from './apply.js';
import { nodeIndex } from './node-path.js';
import { type NodeState, type RunState, type ScopeState, scopeAt } from './run-state.js';
import { isUpstream } from './upstream.js';

/** Names that exist only where they are needed: `result`, `branches`, `error`, `prev`, an index. */
export type ExtraNames = readonly (readonly [name: string, value: Json | undefined])[];

export interface ScopeRequest {
  readonly names?: ExtraNames;
  /** What the node has become while its end is not yet an event: conditions of its out-edges may read it. */
  readonly own?: { readonly output?: Json; readonly error?: Json };
  /** What is going to read. That a literal id is upstream was checked when the plan was made; a computed one is checked at each read. */
  readonly reader: { readonly reads: readonly Read[] /** a path without anything computed */; readonly plain?: unknown };
}

/** What the expressions of a node see. Nothing is copied: lookups go to the state when an expression reads. */
export function scopeOf(state: RunState, ref: NodeRef, request: ScopeRequest): Scope {
  return new StateScope(state, scopeAt(state, ref.scope)!, ref.index, request);
}

/** What a loop's `collect` and `until` see: the inside of one iteration, all of it ended. */
export function itemScopeOf(state: RunState, path: string, request: ScopeRequest): Scope {
  return new StateScope(state, scopeAt(state, path)!, undefined, request);
}

/** Both halves of what can be read. Names are put together when the first one is read: most expressions read outputs and nothing else. */
class StateScope implements Scope, RunScope {
  private readonly state: RunState;
  private readonly scope: ScopeState;
  private readonly reader: number | undefined;
  private readonly request: ScopeRequest;
  private readonly isChecked: boolean;
  private found: ReadonlyMap<string, Json | undefined> | undefined;

  constructor(state: RunState, scope: ScopeState, reader: number | undefined, request: ScopeRequest) {
    this.state = state;
    this.scope = scope;
    this.reader = reader;
    this.request = request;
    this.isChecked = request.reader.plain === undefined && request.reader.reads.some(isComputed);
  }

  get names(): ReadonlyMap<string, Json | undefined> {
    this.found ??= namesOf(this.state, this.scope, this.request.names ?? []);
    return this.found;
  }

  get run(): RunScope {
    return this;
  }

  get id(): string {
    return this.state.begin.runId;
  }

  get startedAt(): string {
    return this.state.startedAt;
  }

  outputs(id: string): Lookup {
    const found = this.find(id);
    if (typeof found === 'string') return found === 'unknown' ? NO_VALUE : FORBIDDEN;
    return lookupOf(this.ownOf(found) === undefined ? outputOf(found.node) : this.request.own!.output);
  }

  errors(id: string): Lookup {
    const found = this.find(id);
    if (typeof found === 'string') return found === 'unknown' ? NO_VALUE : FORBIDDEN;
    return lookupOf(this.ownOf(found) === undefined ? errorOf(found.node) : this.request.own!.error);
  }

  captured(id: string): Lookup {
    const found = this.find(id);
    if (typeof found === 'string') return found === 'unknown' ? NO_VALUE : FORBIDDEN;
    return lookupOf(found.node.captured);
  }

  visible(): readonly string[] {
    return visible(this.state, this.scope, this.reader);
  }

  private find(id: string): Found {
    return findNode(this.state, this.scope, this.reader, id, this.isChecked);
  }

  /** Set where the node itself is read before its end is an event. */
  private ownOf({ isSelf }: Exclude<Found, string>): ScopeRequest['own'] {
    return isSelf ? this.request.own : undefined;
  }
}

const NO_VALUE: Lookup = { kind: 'none' };
const FORBIDDEN: Lookup = { kind: 'forbidden' };

function isComputed({ root, computed }: Read): boolean {
  return root === 'run' && computed;
}

function lookupOf(value: Json | undefined): Lookup {
  return value === undefined ? NO_VALUE : { kind: 'value', value };
}

function namesOf(state: RunState, scope: ScopeState, extra: ExtraNames): ReadonlyMap<string, Json | undefined> {
  const names = new Map<string, Json | undefined>();
  names.set('inputs', scope.inputs);
  names.set('ctx', scope.context);
  names.set('trigger', state.begin.trigger);
  addLoopNames(state, scope, names);
  for (const [name, value] of extra) names.set(name, value);
  return names;
}

/** Names of the enclosing loops of the same workflow, outermost first, so that an inner one hides an outer one. */
function addLoopNames(state: RunState, scope: ScopeState, names: Map<string, Json | undefined>): void {
  if (scope.item === undefined) return;
  const outer = scopeAt(state, scope.parent!.scope)!;
  addLoopNames(state, outer, names);
  const loop = outer.plan.nodes[scope.parent!.node] as LoopNodePlan;
  if (loop.forEach !== undefined) names.set(loop.as, scope.item.value);
  names.set(loop.indexAs, scope.item.index);
  names.set('prev', scope.item.prev);
}

type Found = { readonly node: NodeState; readonly isSelf: boolean } | 'unknown' | 'forbidden';

/** A node by id in a scope or the ones around it, if it is upstream there. */
function findNode(state: RunState, scope: ScopeState, reader: number | undefined, id: string, isChecked: boolean): Found {
  const index = nodeIndex(scope.plan, id);
  if (index === undefined) {
    if (scope.item === undefined) return 'unknown';
    return findNode(state, scopeAt(state, scope.parent!.scope)!, scope.parent!.node, id, isChecked);
  }
  const isSelf = index === reader;
  if (isChecked && reader !== undefined && !isSelf && !isUpstream(scope.plan, index, reader)) return 'forbidden';
  return { node: scope.nodes.get(index), isSelf };
}

/** Ids that a computed read may name. */
function visible(state: RunState, scope: ScopeState, reader: number | undefined): readonly string[] {
  const here = scope.plan.nodes.filter(({ index }) => index !== reader && (reader === undefined || isUpstream(scope.plan, index, reader)));
  const outer = scope.item === undefined ? [] : visible(state, scopeAt(state, scope.parent!.scope)!, scope.parent!.node);
  return [...here.map((node) => node.id), ...outer];
}

function outputOf(node: NodeState): Json | undefined {
  return node.status === 'succeeded' ? node.output : undefined;
}

function errorOf(node: NodeState): Json | undefined {
  return node.status === 'failed' ? (node.error as unknown as Json) : undefined;
}

/**
 * Evaluates an expression of a node. Where it stumbles over a node that gave no output, the message says so: "cannot read property 'x' of
 * undefined" alone sends people looking in the wrong place.
 */
export function evaluateIn(state: RunState, ref: NodeRef, expression: Expression, vm: ExpressionVm, names: ExtraNames = []): Evaluated {
  const result = evaluate(expression, scopeOf(state, ref, { names, reader: expression }), vm);
  if (result.ok || result.reason !== 'runtime') return result;
  const absent = absentNodes(state, ref, expression);
  return absent === '' ? result : { ...result, message: `${result.message} (${absent})` };
}

function absentNodes(state: RunState, ref: NodeRef, expression: Expression): string {
  const scope = scopeAt(state, ref.scope)!;
  const told = new Set<string>();
  for (const { root, path } of expression.reads) {
    const id = path[1];
    if (root !== 'run' || path[0] !== 'outputs' || typeof id !== 'string') continue;
    const found = findNode(state, scope, ref.index, id, false);
    const status = typeof found === 'string' ? undefined : found.node.status;
    if (status === 'skipped' || status === 'failed' || status === 'cancelled')
      told.add(`"${id}" ${status === 'failed' ? 'failed' : `was ${status}`}`);
  }
  return [...told].join(', ');
}
