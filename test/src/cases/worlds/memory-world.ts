import { memoryFileSystem, runSimulated, simulatedClock } from '@relavium/engine/testing';
import { runPorts } from '../../shared/run-ports.js';
import { scriptedProcess } from './scripted-process.js';
import type { World } from './world.js';

/** Files in memory, commands that are played, and a clock that jumps. */
export function memoryWorld(files: Readonly<Record<string, string>>): World {
  const clock = simulatedClock(Date.UTC(2020, 0, 1));
  const fs = memoryFileSystem(files);
  const host = { fs, process: scriptedProcess(clock) };
  return {
    clock,
    ports: (tools, store) => runPorts({ clock, store, tools, host }),
    run: (done) => runSimulated(done, clock, turn),
    file: async (path) => fs.files.get(path) ?? null,
    close: async () => {},
  };
}

/** Everything is in memory, so a turn of the event loop lets all promises settle. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
