import { lockConflict, lockOrder, lockWithoutEffect } from '../../diagnostics/catalogue/graph.js';
import type { LinkedNode, LinkedWorkflow } from '../model.js';
import type { Rule } from '../rule.js';

/** A lock that is taken inside what holds it already would wait for itself; two that are taken in opposite orders, for each other. */
export const locksRule: Rule = (context, workflow) => {
  const order = lockOrders(workflow);
  for (const scope of workflow.scopes) {
    for (const node of scope.nodes) {
      const lock = lockOf(node);
      if (lock === undefined) continue;
      const outer = holderAround(node, lock);
      const caller = scope.nodes.find(({ syntax }) => syntax.type === 'agent' && syntax.invokes?.includes(node.id) === true);
      if (caller !== undefined) context.report(lockWithoutEffect, { path: [...node.at, 'lock'] }, { lock, caller: caller.id });
      if (outer !== undefined) context.report(lockConflict, { path: [...node.at, 'lock'] }, { lock, outer: outer.id });
      const child = node.syntax.type === 'subworkflow' ? workflow.children.get(node.syntax.workflow) : undefined;
      if (child !== undefined && takes(child, lock, new Set())) {
        context.report(
          lockConflict,
          { path: [...node.at, 'lock'] },
          { lock, outer: node.id },
          { suggestion: `${child.document.source.path} takes it too` },
        );
      }
      const wanted = [...locksInside(node, workflow)].find((inner) => inner !== lock && reaches(order, inner, lock));
      if (wanted !== undefined) context.report(lockOrder, { path: [...node.at, 'lock'] }, { held: lock, wanted });
    }
  }
};

function lockOf(node: LinkedNode): string | undefined {
  return 'lock' in node.syntax ? node.syntax.lock : undefined;
}

function holderAround(node: LinkedNode, lock: string): LinkedNode | undefined {
  for (let outer = node.scope.owner; outer !== undefined; outer = outer.scope.owner) if (lockOf(outer) === lock) return outer;
  return undefined;
}

function takes(workflow: LinkedWorkflow, lock: string, seen: Set<LinkedWorkflow>): boolean {
  if (seen.has(workflow)) return false;
  seen.add(workflow);
  const own = workflow.scopes.some((scope) => scope.nodes.some((node) => lockOf(node) === lock));
  return own || [...workflow.children.values()].some((child) => takes(child, lock, seen));
}

/** Lock → locks that are taken while it is held. */
type LockOrders = ReadonlyMap<string, ReadonlySet<string>>;

function lockOrders(workflow: LinkedWorkflow): LockOrders {
  const orders = new Map<string, Set<string>>();
  for (const { node, owner } of lockingNodes(workflow, new Set())) {
    const lock = lockOf(node)!;
    const inside = orders.get(lock) ?? new Set();
    for (const inner of locksInside(node, owner)) inside.add(inner);
    orders.set(lock, inside);
  }
  return orders;
}

interface LockingNode {
  readonly node: LinkedNode;
  readonly owner: LinkedWorkflow;
}

function* lockingNodes(workflow: LinkedWorkflow, seen: Set<LinkedWorkflow>): Generator<LockingNode> {
  if (seen.has(workflow)) return;
  seen.add(workflow);
  for (const scope of workflow.scopes) for (const node of scope.nodes) if (lockOf(node) !== undefined) yield { node, owner: workflow };
  for (const child of workflow.children.values()) yield* lockingNodes(child, seen);
}

/** Locks taken by what runs inside a loop or child. */
function locksInside(node: LinkedNode, workflow: LinkedWorkflow): ReadonlySet<string> {
  const locks = new Set<string>();
  const child = node.syntax.type === 'subworkflow' ? workflow.children.get(node.syntax.workflow) : undefined;
  if (child !== undefined) for (const inner of lockingNodes(child, new Set())) locks.add(lockOf(inner.node)!);
  for (const inner of node.body?.nodes ?? []) {
    const lock = lockOf(inner);
    if (lock !== undefined) locks.add(lock);
    for (const deeper of locksInside(inner, workflow)) locks.add(deeper);
  }
  return locks;
}

function reaches(orders: LockOrders, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const lock of seen) {
    if (lock === to) return true;
    for (const next of orders.get(lock) ?? []) seen.add(next);
  }
  return false;
}
