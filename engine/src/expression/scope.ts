import type { Json } from '../json.js';

/**
 * How the names of an expression resolve. A scope is lazy: nothing is looked up or sent that the expression cannot read, and values
 * are held by reference.
 */
export interface Scope {
  /** Names and their values, e.g. `inputs`, `ctx`, `item`, `prev`; `undefined` for a name that is known and has no value. */
  readonly names: ReadonlyMap<string, Json | undefined>;
  /** What stands below `run`. Without it `run` is a name like any other. */
  readonly run?: RunScope;
}

export interface RunScope {
  readonly id: string;
  readonly startedAt: string;
  outputs(id: string): Lookup;
  errors(id: string): Lookup;
  captured(id: string): Lookup;
  /** Ids of the nodes that may be read, in the order in which they are to be listed. */
  visible(): readonly string[];
}

export type Lookup =
  | { readonly kind: 'value'; readonly value: Json }
  /** No such name, or a node that was skipped: reads as `undefined`. */
  | { readonly kind: 'none' }
  /** There is such a node, but it is not upstream: an error, never a silent `undefined`. */
  | { readonly kind: 'forbidden' };

export type RunMap = 'outputs' | 'errors' | 'captured';

export function isRunMap(key: string | undefined): key is RunMap {
  return key === 'outputs' || key === 'errors' || key === 'captured';
}

/** A scope whose names are the keys of one object. */
export function jsonScope(values: { readonly [name: string]: Json }): Scope {
  return { names: new Map(Object.entries(values)) };
}

export function notUpstream(map: RunMap, id: string): string {
  return `run.${map}[${JSON.stringify(id)}]: the node exists but is not upstream of this one, so it cannot be read here`;
}

export function secretRead(name: string): string {
  return `the value of secret ${JSON.stringify(name)} is in no scope: only a credential slot can use it`;
}
