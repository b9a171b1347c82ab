import { type Evaluated, evaluate, type Lookup, type Scope } from '../expression/evaluate.js';
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
  readonly reader: { readonly reads: readonly Read[] };
}

/** What the expressions of a node see. Nothing is copied: lookups go to the state when an expression reads. */
export function scopeOf(state: RunState, ref: NodeRef, request: ScopeRequest): Scope {
  const scope = scopeAt(state, ref.scope)!;
  return { names: namesOf(state, scope, request.names ?? []), run: runOf(state, scope, ref.index, request) };
}

/** What a loop's `collect` and `until` see: the inside of one iteration, all of it ended. */
export function itemScopeOf(state: RunState, path: string, request: ScopeRequest): Scope {
  const scope = scopeAt(state, path)!;
  return { names: namesOf(state, scope, request.names ?? []), run: runOf(state, scope, undefined, request) };
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

function runOf(state: RunState, scope: ScopeState, reader: number | undefined, request: ScopeRequest): NonNullable<Scope['run']> {
  const isChecked = request.reader.reads.some((read) => read.root === 'run' && read.computed);
  const find = (id: string): Found => findNode(state, scope, reader, id, isChecked);
  const { own } = request;
  return {
    id: state.begin.runId,
    startedAt: state.startedAt,
    outputs: (id) => lookup(find(id), (node, isSelf) => (isSelf && own !== undefined ? own.output : outputOf(node))),
    errors: (id) => lookup(find(id), (node, isSelf) => (isSelf && own !== undefined ? own.error : errorOf(node))),
    captured: (id) => lookup(find(id), ({ captured }) => captured),
    visible: () => visible(state, scope, reader),
  };
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

function lookup(found: Found, read: (node: NodeState, isSelf: boolean) => Json | undefined): Lookup {
  if (found === 'unknown') return { kind: 'none' };
  if (found === 'forbidden') return { kind: 'forbidden' };
  const value = read(found.node, found.isSelf);
  return value === undefined ? { kind: 'none' } : { kind: 'value', value };
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
