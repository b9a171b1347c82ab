import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf, type ProcessEntry, processTable } from './process-table.js';

/** A child and everything that it starts. */
export interface ProcessGroup {
  /** Asks all to end, and after the grace makes them. Resolves once none is left; false: some could not be ended. */
  end(graceMs: number): Promise<boolean>;
  /** At once, without waiting. */
  kill(): void;
  isAlive(): boolean;
}

/** `leader` was started as the leader of a new group. */
export function processGroup(leader: number): ProcessGroup {
  return process.platform === 'win32' ? windowsTree(leader) : posixGroup(leader);
}

const POLL_MS = 25;
/** The kernel takes a moment to end what was killed. */
const AFTER_KILL_MS = 1_000;

function posixGroup(leader: number): ProcessGroup {
  /** Descendants that have left the group; found when it is told to end. */
  let strays: readonly ProcessEntry[] = [];

  const signal = (name: NodeJS.Signals) => {
    send(-leader, name);
    for (const stray of livingOf(strays)) send(stray.pid, name);
  };
  const isAlive = () => (send(-leader, 0) && isGroupAlive(leader)) || livingOf(strays).length > 0;
  const gone = async (withinMs: number): Promise<boolean> => {
    for (let waited = 0; waited < withinMs; waited += POLL_MS) {
      if (!isAlive()) return true;
      await pause(POLL_MS);
    }
    return !isAlive();
  };
  const findStrays = () => {
    strays = descendantsOf(leader, processTable()).filter(({ group }) => group !== leader);
  };

  return {
    isAlive,
    kill() {
      findStrays();
      signal('SIGKILL');
    },
    async end(graceMs) {
      findStrays();
      signal('SIGTERM');
      if (await gone(graceMs)) return true;
      signal('SIGKILL');
      return gone(AFTER_KILL_MS);
    },
  };
}

/** A group of nothing but ended processes that nobody has collected still answers to signals. */
function isGroupAlive(leader: number): boolean {
  const table = processTable();
  return table.length === 0 || table.some(({ group, isDead }) => group === leader && !isDead);
}

function livingOf(entries: readonly ProcessEntry[]): readonly ProcessEntry[] {
  if (entries.length === 0) return [];
  const living = new Set(
    processTable()
      .filter(({ isDead }) => !isDead)
      .map(({ pid, startedAt }) => `${pid} ${startedAt}`),
  );
  return entries.filter(({ pid, startedAt }) => living.has(`${pid} ${startedAt}`));
}

/** False: there is nothing that the signal could reach. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Windows has no groups; taskkill follows the tree. Console programs cannot be asked to end, so there is no grace. */
function windowsTree(leader: number): ProcessGroup {
  const kill = () => {
    execFile('taskkill', ['/pid', String(leader), '/T', '/F'], { windowsHide: true }, () => undefined);
  };
  const isAlive = () => send(leader, 0);
  return {
    isAlive,
    kill,
    async end() {
      kill();
      for (let waited = 0; waited < AFTER_KILL_MS && isAlive(); waited += POLL_MS) await pause(POLL_MS);
      return !isAlive();
    },
  };
}
