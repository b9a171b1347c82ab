import type { Clock, EventStore, RunPorts, ToolDef } from '@relavium/engine';

/** Where a scenario happens: files, processes and time, real or played. */
export interface World {
  readonly clock: Clock;
  ports(tools: readonly ToolDef[], store: EventStore): RunPorts;
  /** Lets time pass until a run has ended. */
  run<T>(done: Promise<T>): Promise<T>;
  /** Text of a file in the workspace; null if there is none. */
  file(path: string): Promise<string | null>;
  close(): Promise<void>;
}

export async function openWorld(host: 'node' | 'memory', files: Readonly<Record<string, string>>): Promise<World> {
  if (host === 'memory') return (await import('./memory-world.js')).memoryWorld(files);
  return (await import('./node-world.js')).nodeWorld(files);
}
