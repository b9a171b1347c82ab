import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createNodeHost } from '@relavium/host-node';
import { runPorts } from '../../shared/run-ports.js';
import type { World } from './world.js';

/** A real folder, real processes and real time. */
export function nodeWorld(files: Readonly<Record<string, string>>): World {
  const workspace = mkdtempSync(join(tmpdir(), 'scenario-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  const host = createNodeHost({ workspace, environment: process.env });
  return {
    clock: host.clock,
    ports: (tools, store) => runPorts({ clock: host.clock, store, tools, host: host.tools }),
    run: (done) => done,
    file: async (path) => (existsSync(join(workspace, path)) ? readFileSync(join(workspace, path), 'utf8') : null),
    close: async () => rmSync(workspace, { recursive: true, force: true }),
  };
}
