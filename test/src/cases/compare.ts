import { show } from './case.js';
import type { Observed, ObservedNode } from './observed.js';
import { sameJson } from './same-json.js';
import type { Expected } from './scenario.js';

/** What came of running a scenario. */
export interface Outcome {
  readonly status: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly errors: readonly { readonly code: string; readonly path?: string; readonly message: string }[];
  readonly observed: Observed;
  readonly calls: ReadonlyMap<string, number>;
  /** Text of a file in the workspace, or null. */
  file(path: string): Promise<string | null>;
}

export interface Difference {
  readonly expected: string;
  readonly found: string;
}

/** Every expectation that was not met. A key that is absent is not checked. */
export async function differences(expected: Expected, outcome: Outcome): Promise<Difference[]> {
  const found: Difference[] = [];
  const check = (what: string, holds: boolean, wanted: unknown, seen: unknown): void => {
    if (!holds) found.push({ expected: `${what} ${show(wanted)}`, found: show(seen) });
  };
  const { nodes, gateMessages, maxRunning } = outcome.observed;

  if (expected.status !== undefined)
    check('status', outcome.status === expected.status, expected.status, [outcome.status, ...outcome.errors]);
  if (expected.status_history !== undefined)
    check('status_history', sameJson([outcome.status], expected.status_history), expected.status_history, [outcome.status]);
  if (expected.outputs !== undefined) check('outputs', sameJson(outcome.outputs, expected.outputs), expected.outputs, outcome.outputs);
  if (expected.error !== undefined)
    check(
      'error',
      outcome.errors.some((error) => isError(expected.error!, error)),
      expected.error,
      outcome.errors,
    );
  if (expected.max_running !== undefined) check('max_running', maxRunning === expected.max_running, expected.max_running, maxRunning);
  for (const [path, state] of Object.entries(expected.node_states ?? {})) {
    const seen = nodes.get(path)?.state ?? 'pending';
    check(`state of ${path}`, seen === state, state, seen);
  }
  for (const [path, count] of Object.entries(expected.attempts ?? {}))
    check(`attempts of ${path}`, (nodes.get(path)?.attempts ?? 0) === count, count, nodes.get(path)?.attempts ?? 0);
  for (const [path, count] of Object.entries(expected.calls ?? {}))
    check(`calls of ${path}`, (outcome.calls.get(path) ?? 0) === count, count, outcome.calls.get(path) ?? 0);
  for (const [path, text] of Object.entries(expected.files ?? {})) {
    const seen = await outcome.file(path);
    check(`file ${path}`, seen === text, text, seen);
  }
  for (const [path, gate] of Object.entries(expected.gates ?? {})) {
    check(
      `message of ${path}`,
      gate.message === undefined || gateMessages.get(path) === gate.message,
      gate.message,
      gateMessages.get(path),
    );
  }
  for (const [a, relation, b] of expected.order_constraints ?? []) {
    check('order', isOrdered(nodes.get(a), relation, nodes.get(b)), `${a} ${relation} ${b}`, {
      [a]: span(nodes.get(a)),
      [b]: span(nodes.get(b)),
    });
  }
  return found;
}

function isError(expected: NonNullable<Expected['error']>, seen: Outcome['errors'][number]): boolean {
  return (
    (expected.code === undefined || seen.code === expected.code) &&
    (expected.path === undefined || seen.path === expected.path) &&
    (expected.mentions ?? []).every((word) => seen.message.includes(word))
  );
}

function isOrdered(a: ObservedNode | undefined, relation: '<' | '||', b: ObservedNode | undefined): boolean {
  if (a?.endedAt === undefined || b === undefined) return false;
  const startOf = (node: ObservedNode): number => node.startedAt ?? node.endedAt ?? Number.POSITIVE_INFINITY;
  if (relation === '<') return a.endedAt < startOf(b);
  return b.endedAt !== undefined && startOf(a) < b.endedAt && startOf(b) < a.endedAt;
}

function span(node: ObservedNode | undefined): readonly [number | undefined, number | undefined] {
  return [node?.startedAt, node?.endedAt];
}
