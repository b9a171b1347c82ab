import type { ConditionNode, Edge } from '@relavium/schemas';
import {
  duplicateBranch,
  duplicateEdge,
  invokeOnlyEdge,
  missingHandle,
  parallelMismatch,
  unknownHandle,
  unknownNode,
} from '../diagnostics/catalogue/graph.js';
import type { Path } from '../parse/yaml-document.js';
import type { LinkContext } from './link-context.js';
import type { LinkedEdge } from './model.js';
import { nameAdvice, replacing } from './name-advice.js';
import type { OpenNode, OpenScope } from './open-scope.js';

export interface EdgeEnds {
  readonly scope: OpenScope;
  elsewhere(id: string): string;
}

/** Edges as far as their ends exist. What a branch, `needs` or `parallel_of` says and an edge says again is one edge. */
export function buildEdges(context: LinkContext, ends: EdgeEnds, written: readonly Edge[] | undefined): readonly LinkedEdge[] {
  const build: Build = { context, ends, edges: [], keys: new Map() };
  for (const node of ends.scope.nodes) {
    addNeeds(build, node);
    if (node.syntax.type === 'parallel') addParallel(build, node, node.syntax.parallel_of);
    if (node.syntax.type === 'condition') addBranches(build, node, node.syntax);
  }
  written?.forEach((edge, index) => {
    addWritten(build, edge, [...ends.scope.at, 'edges', index]);
  });
  if (written === undefined && ends.scope.owner !== undefined && build.edges.length === 0 && !saysEdges(ends.scope)) addListed(build);
  return build.edges;
}

interface Build {
  readonly context: LinkContext;
  readonly ends: EdgeEnds;
  readonly edges: LinkedEdge[];
  /** Index of the edge by its ends, handle and kind. */
  readonly keys: Map<string, number>;
}

function addNeeds(build: Build, node: OpenNode): void {
  node.syntax.needs?.forEach((source, index) => {
    const at = [...node.at, 'needs', index];
    const from = sourceOf(build, source, at, 'success');
    if (from !== undefined) add(build, { from: from.node.index, to: node.index, on: 'success', ...handleOf(from), at });
  });
}

function addParallel(build: Build, node: OpenNode, members: readonly string[]): void {
  members.forEach((member, index) => {
    const at = [...node.at, 'parallel_of', index];
    const target = targetOf(build, member, at);
    if (target !== undefined) add(build, { from: node.index, to: target.index, on: 'success', at });
  });
}

function addBranches(build: Build, node: OpenNode, syntax: ConditionNode): void {
  const seen = new Map<string, Path>();
  if (syntax.default !== undefined) seen.set('default', [...node.at, 'default']);
  syntax.branches.forEach((branch, index) => {
    const handle = String(branch.when);
    const at = [...node.at, 'branches', index];
    const other = seen.get(handle);
    if (other !== undefined) {
      build.context.report(duplicateBranch, { path: [...at, 'when'] }, { handle, line: build.context.lineOf(other, 'value') });
    } else seen.set(handle, [...at, 'when']);
    addBranch(build, node, handle, branch.target_node, [...at, 'target_node']);
  });
  if (syntax.default !== undefined) addBranch(build, node, 'default', syntax.default, [...node.at, 'default']);
}

function addBranch(build: Build, node: OpenNode, handle: string, target: string, at: Path): void {
  const to = targetOf(build, target, at);
  if (to !== undefined) add(build, { from: node.index, to: to.index, on: 'success', handle, at });
}

function addWritten(build: Build, edge: Edge, at: Path): void {
  const on = edge.on ?? 'success';
  const from = sourceOf(build, edge.from, [...at, 'from'], on);
  const to = targetOf(build, edge.to, [...at, 'to']);
  if (from === undefined || to === undefined) return;
  if (from.node.syntax.type === 'parallel' && on === 'success' && !from.node.syntax.parallel_of.includes(to.id)) {
    build.context.report(parallelMismatch, { path: [...at, 'to'] }, { node: from.node.id, target: to.id });
  }
  add(build, { from: from.node.index, to: to.index, on, ...handleOf(from), written: edge, at });
}

/** The order of the list is the order of the body, as in a script. */
function addListed(build: Build): void {
  const nodes = build.ends.scope.nodes.filter((node) => !isInvokeOnly(node));
  for (let at = 1; at < nodes.length; at += 1) {
    const [from, to] = [nodes[at - 1], nodes[at]] as [OpenNode, OpenNode];
    add(build, { from: from.index, to: to.index, on: 'success', at: to.at });
  }
}

/** Whether a node names others at all: even one that was not found shows that the list is not meant as a script. */
function saysEdges(scope: OpenScope): boolean {
  return scope.nodes.some(({ syntax }) => syntax.needs !== undefined || syntax.type === 'parallel' || syntax.type === 'condition');
}

function isInvokeOnly({ syntax }: OpenNode): boolean {
  return syntax.type === 'agent' && syntax.invoke_only === true;
}

function add(build: Build, edge: LinkedEdge): void {
  const outside = [edge.from, edge.to].map((index) => build.ends.scope.nodes[index] as OpenNode).find(isInvokeOnly);
  if (outside !== undefined) {
    build.context.report(invokeOnlyEdge, { path: edge.at }, { id: outside.id });
    return;
  }
  const { condition, codes } = edge.written ?? {};
  const key = JSON.stringify([edge.from, edge.to, edge.on, edge.handle]);
  const known = build.keys.get(key);
  if (known === undefined) {
    build.keys.set(key, build.edges.length);
    build.edges.push(edge);
    return;
  }
  const other = build.edges[known] as LinkedEdge;
  if (other.written === undefined) {
    // A branch or a list made the edge; writing it as well may add a condition or a label to it.
    if (edge.written !== undefined) build.edges[known] = { ...other, written: edge.written, at: edge.at };
  } else if (edge.written !== undefined && sameRule(other.written, condition, codes)) {
    const { nodes } = build.ends.scope;
    const data = {
      from: (nodes[edge.from] as OpenNode).id,
      to: (nodes[edge.to] as OpenNode).id,
      line: build.context.lineOf(other.at, 'value'),
    };
    build.context.report(duplicateEdge, { path: edge.at }, data);
  } else if (edge.written !== undefined) build.edges.push(edge);
}

function sameRule(other: Edge, condition: string | undefined, codes: readonly string[] | undefined): boolean {
  return other.condition === condition && JSON.stringify(other.codes) === JSON.stringify(codes);
}

interface Source {
  readonly node: OpenNode;
  readonly handle?: string;
}

function handleOf(source: Source): { handle?: string } {
  return source.handle === undefined ? {} : { handle: source.handle };
}

/** `node` or `node:handle`. Ids hold no colon, so the first one separates. */
function sourceOf(build: Build, text: string, at: Path, on: LinkedEdge['on']): Source | undefined {
  const colon = text.indexOf(':');
  const id = colon === -1 ? text : text.slice(0, colon);
  const handle = colon === -1 ? undefined : text.slice(colon + 1);
  const node = targetOf(build, id, at, handle);
  if (node === undefined) return undefined;
  const handles = handlesOf(node);
  if (handle === undefined) {
    if (node.syntax.type !== 'condition' || on !== 'success') return { node };
    build.context.report(missingHandle, { path: at }, { node: id, handles });
    return undefined;
  }
  if (on === 'success' && handles.includes(handle)) return { node, handle };
  const usable = on === 'success' ? handles : [];
  const advice =
    on === 'success'
      ? nameAdvice(build.context, handle, () => usable, { fix: (near) => replacing(build.context.document, at, 'value')(quoted(id, near)) })
      : { suggestion: `an ${on} edge belongs to the whole node: write ${id}` };
  build.context.report(unknownHandle, { path: at }, { node: id, handle, handles: usable }, advice);
  return undefined;
}

function handlesOf(node: OpenNode): readonly string[] {
  if (node.syntax.type !== 'condition') return [];
  const handles = node.syntax.branches.map((branch) => String(branch.when));
  return [...new Set(node.syntax.default === undefined ? handles : [...handles, 'default'])];
}

function targetOf(build: Build, id: string, at: Path, handle?: string): OpenNode | undefined {
  const { scope, elsewhere } = build.ends;
  const node = scope.byId.get(id);
  if (node !== undefined) return node;
  const advice = nameAdvice(build.context, id, () => scope.byId.keys(), {
    fix: (near) => replacing(build.context.document, at, 'value')(handle === undefined ? near : quoted(near, handle)),
  });
  build.context.report(unknownNode, { path: at }, { id, elsewhere: elsewhere(id) }, advice);
  return undefined;
}

/** Inside { } a colon needs quotes, and elsewhere they do no harm. */
function quoted(node: string, handle: string): string {
  return JSON.stringify(`${node}:${handle}`);
}
