import type { Lookup, RunScope } from '../../../../engine/src/expression/scope.js';
import type { Json } from '../../../../engine/src/json.js';

type Entries = { readonly [id: string]: Json };

/** `run` with these outputs; ids in `notUpstream` exist and may not be read. */
export function runScope(outputs: Entries, notUpstream: readonly string[] = [], errors: Entries = {}): RunScope {
  const find =
    (entries: Entries) =>
    (id: string): Lookup => {
      if (notUpstream.includes(id)) return { kind: 'forbidden' };
      return Object.hasOwn(entries, id) ? { kind: 'value', value: entries[id] as Json } : { kind: 'none' };
    };
  return {
    id: 'run-1',
    startedAt: '2024-05-06T07:08:09.000Z',
    outputs: find(outputs),
    errors: find(errors),
    captured: () => ({ kind: 'none' }),
    visible: () => [...new Set([...Object.keys(outputs), ...Object.keys(errors)])],
  };
}
