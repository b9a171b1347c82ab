import type { RunEvent } from '../events/run-event.js';

/** Keeps the events of runs, in order. A returned promise that has settled means that they are durable. */
export interface EventStore {
  append(events: readonly RunEvent[]): void | Promise<void>;
}
