import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { randomOf } from '../shared/random.js';
import type { ChaosCounts, ChaosRequest } from './main.js';

const binary = fileURLToPath(new URL('../../../hosts/cli/bin/relavium.js', import.meta.url));
const SIDE_BY_SIDE = 4;
/** A run that has not ended by then is stuck: a grace of three seconds for the group, and a second for the process. */
const PATIENCE_MS = 20_000;

const endings = ['node timeout', 'run timeout', 'SIGINT', 'SIGTERM'] as const;
type Ending = (typeof endings)[number];

/** Runs whose commands leave a tree of processes behind, some deaf to TERM, ended in every way: nothing of the tree may live on. */
export async function chaosOrphans({ runs, seed }: ChaosRequest): Promise<ChaosCounts> {
  const random = randomOf(seed);
  const counts = { orphans: 0, stuck: 0 };
  const plans = Array.from({ length: runs }, (_, run) => ({ run, ending: random.pick([...endings]), isDeaf: random.pick([true, false]) }));
  const next = async (): Promise<void> => {
    for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) {
      const { orphans, isStuck } = await endOne(`${seed}${String(plan.run).padStart(5, '0')}`, plan.ending, plan.isDeaf);
      counts.orphans += orphans;
      counts.stuck += isStuck ? 1 : 0;
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, next));
  return counts;
}

async function endOne(mark: string, ending: Ending, isDeaf: boolean): Promise<{ orphans: number; isStuck: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), 'orphans-'));
  // Each process of the tree sleeps for a number of seconds that no other run has: so it can be told from all others.
  const seconds = `9${mark}.5`;
  const trap = isDeaf ? "trap '' TERM; " : '';
  writeFileSync(join(folder, 'tree.sh'), `${trap}sleep ${seconds} & (sleep ${seconds}; echo late) & echo up; sleep ${seconds}\n`);
  const limit = ending === 'node timeout' ? ', timeout_ms: 400' : '';
  const node = `{ id: tree, type: tool, tool: run_command, tool_config: { command: sh, args: [tree.sh] }${limit} }`;
  writeFileSync(
    join(folder, 'w.relavium.yaml'),
    `schema_version: '1.0'\nworkflow:\n  id: w\n  tools: { allowedCommands: ['sh tree.sh'] }\n  nodes: [${node}]\n`,
  );
  try {
    const args = [binary, 'run', '-q', 'w.relavium.yaml', ...(ending === 'run timeout' ? ['--timeout', '0.5'] : [])];
    const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    if (ending === 'SIGINT' || ending === 'SIGTERM') await signalWhenUp(child, seconds, ending);
    const isStuck = (await Promise.race([ended.then(() => false), sleep(PATIENCE_MS, true, { ref: false })])) === true;
    if (isStuck) child.kill('SIGKILL');
    // The kernel may still be taking them down.
    await sleep(200);
    const left = processesWith(seconds);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    return { orphans: left.length, isStuck };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function signalWhenUp(child: ChildProcess, mark: string, signal: NodeJS.Signals): Promise<void> {
  for (let tries = 0; processesWith(mark).length === 0 && tries < 200; tries++) await sleep(25);
  child.kill(signal);
}

/** Ids of the processes that have a text in their command line. */
function processesWith(text: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
