import type { RunEvent } from '../events/run-event.js';
import type { EventStore } from '../ports/event-store.js';

/** A store that keeps nothing beyond its own life. */
export interface MemoryStore extends EventStore {
  /** All events that were appended, in order. */
  readonly events: readonly RunEvent[];
}

export function memoryStore(): MemoryStore {
  const events: RunEvent[] = [];
  return {
    events,
    append(added) {
      for (const event of added) events.push(event);
    },
  };
}
