import type { Plan, PlanNode, RunEvent, StreamedEvent } from '@relavium/engine';

/** A plan as far as views look at it: nodes by id, edges by position. */
export function planOf(ids: readonly string[], edges: readonly (readonly [from: string, to: string])[] = []): Plan {
  const index = (id: string): number => ids.indexOf(id);
  const nodes = ids.map((id, at) => ({
    index: at,
    id,
    type: 'tool',
    in: edges.flatMap(([, to], edge) => (to === id ? [edge] : [])),
    out: edges.flatMap(([from], edge) => (from === id ? [edge] : [])),
  }));
  return {
    workflow: { id: 'test' },
    file: 'test.relavium.yaml',
    root: {
      nodes: nodes as unknown as readonly PlanNode[],
      edges: edges.map(([from, to]) => ({ from: index(from), to: index(to), on: 'success' })),
    },
  } as unknown as Plan;
}

/** 2026-01-01 00:00:00 UTC, in milliseconds since the epoch. */
export const start: number = Date.UTC(2026, 0, 1);

/** An event at so many milliseconds after the start. */
export function event(ms: number, payload: { readonly type: string; readonly [key: string]: unknown }): RunEvent & StreamedEvent {
  return { seq: 0, ts: new Date(start + ms).toISOString(), runId: 'r', ...payload } as unknown as RunEvent & StreamedEvent;
}

export function failure(code: string, message: string): object {
  return { code, message, node: 'x', path: 'x', details: {}, attempt: 1 };
}
