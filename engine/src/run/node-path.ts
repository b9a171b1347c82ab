import type { ScopePlan } from '../plan/plan.js';

/**
 * A node's path: its id, behind the path of the scope that it stands in. The root scope is the empty path; iteration 2 of the loop
 * `each` is `each[2]`, its nodes are `each[2].id`; the run of a child workflow under the node `child` is `child`, its nodes `child/id`.
 * Ids hold none of `.`, `/`, `[`, so a path has one reading.
 */
export function nodePath(scopePath: string, id: string): string {
  if (scopePath === '') return id;
  return scopePath.endsWith(']') ? `${scopePath}.${id}` : `${scopePath}/${id}`;
}

export function itemScopePath(loopPath: string, index: number): string {
  return `${loopPath}[${index}]`;
}

/** The container that a scope belongs to, and which of its scopes it is: an iteration's index, 0 for a child. Not for the root. */
export function splitScopePath(path: string): { readonly container: string; readonly key: number } {
  if (!path.endsWith(']')) return { container: path, key: CHILD_KEY };
  const open = path.lastIndexOf('[');
  return { container: path.slice(0, open), key: Number(path.slice(open + 1, -1)) };
}

export const CHILD_KEY = 0;

/** Path of the agent that the `call`-th call of a node invokes: `lead/call[3]/helper`. */
export function invokedPath(caller: string, call: number, id: string): string {
  return `${callPath(caller, call)}/${id}`;
}

/** Path of a call itself, where a person is asked about it. */
export function callPath(caller: string, call: number): string {
  return `${caller}/call[${call}]`;
}

/** Only behind a call does `/` follow on `]`: an iteration's nodes stand behind a dot. */
export function isInvoked(path: string): boolean {
  return path.includes(']/');
}

/** The node of the schedule behind whose calls this agent runs; a node that nobody invokes is its own. */
export function outermostCaller(path: string): string {
  const first = path.indexOf(']/');
  return first < 0 ? path : path.slice(0, path.lastIndexOf('/', first));
}

/** Agents that have invoked one another down to this path, the first and the last included. */
export function invocationDepth(path: string): number {
  return path.split(']/').length;
}

/** The two halves of a node's path. */
export function splitNodePath(path: string): { readonly scope: string; readonly id: string } {
  const cut = Math.max(path.lastIndexOf('.'), path.lastIndexOf('/'));
  return cut < 0 ? { scope: '', id: path } : { scope: path.slice(0, cut), id: path.slice(cut + 1) };
}

const indexes = new WeakMap<ScopePlan, Map<string, number>>();

/** Index of a node by id, or undefined. */
export function nodeIndex(plan: ScopePlan, id: string): number | undefined {
  let index = indexes.get(plan);
  if (index === undefined) {
    index = new Map(plan.nodes.map((node) => [node.id, node.index]));
    indexes.set(plan, index);
  }
  return index.get(id);
}
