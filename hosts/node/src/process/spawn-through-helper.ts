import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FromHelper, ToHelper } from './helper-protocol.js';
import type { ChildSpec, Exit, StartedChild } from './started-child.js';

/** Starts programs through a small process. */
export interface SpawnHelper {
  /** Undefined once the helper has ended; a program that it was to start then has not been started. */
  start(spec: ChildSpec): Promise<StartedChild> | undefined;
}

/** Resolves when the helper is ready; undefined where it could not be started. It does not keep this process alive, and ends with it. */
export function startHelper(file: URL): Promise<SpawnHelper | undefined> {
  return new Promise((resolve) => {
    // Nobody but the owner gets into the folder, so nobody else can connect.
    const folder = mkdtempSync(join(tmpdir(), 'relavium-spawn-'));
    const address = join(folder, 'socket');
    // In a session of its own: an interrupt from the terminal is for the run, which then tells it what is to end.
    const child = spawn(process.execPath, [fileURLToPath(file), address], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
      env: {},
    });
    child.once('error', () => resolve(undefined));
    child.once('exit', () => {
      rmSync(folder, { recursive: true, force: true });
      resolve(undefined);
    });
    child.once('message', () => resolve(connected(child, address)));
    rest(child);
  });
}

interface Waiting {
  started(child: Pick<StartedChild, 'pid'>): void;
  failed(error: unknown): void;
  exited(exit: Exit): void;
}

function connected(helper: ChildProcess, address: string): SpawnHelper {
  const waiting = new Map<number, Waiting>();
  let next = 0;
  let isUp = true;
  const done = (id: number) => {
    waiting.delete(id);
    if (waiting.size === 0) rest(helper);
  };
  helper.on('message', (message: FromHelper) => {
    if (message.type === 'up') return;
    const of = waiting.get(message.id);
    if (message.type === 'started') return of?.started(message);
    done(message.id);
    if (message.type === 'failed') of?.failed(Object.assign(new Error('not started'), { code: message.code }));
    else of?.exited({ code: message.code, signal: message.signal });
  });
  helper.once('exit', () => {
    isUp = false;
    for (const [id, of] of waiting) {
      of.failed(Object.assign(new Error('the spawn helper has ended'), { code: 'EHELPER' }));
      of.exited('lost');
      done(id);
    }
  });

  return {
    start(spec) {
      if (!isUp || !helper.connected) return undefined;
      const id = next++;
      if (waiting.size === 0) awake(helper);
      const stdout = output(address, `${id} stdout\n`);
      const stderr = output(address, `${id} stderr\n`);
      return new Promise((resolve, reject) => {
        const abandon = (error: unknown) => {
          stdout.destroy();
          stderr.destroy();
          reject(error);
        };
        const exited = new Promise<Exit>((ended) => {
          const started = ({ pid }: { readonly pid: number }) => {
            const closed = Promise.all([exited, isClosed(stdout), isClosed(stderr)]).then(() => undefined);
            resolve({ pid, stdout, stderr, exited, closed });
          };
          waiting.set(id, { started, failed: abandon, exited: ended });
        });
        helper.send({ id, spec } satisfies ToHelper, (error) => {
          if (error !== null) abandon(error);
        });
      });
    },
  };
}

function output(address: string, line: string): Socket {
  const socket = connect(address);
  socket.on('error', () => undefined);
  socket.write(line);
  return socket;
}

function isClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
}

/** While nothing runs, neither the helper nor the way to it keeps this process alive. */
function rest(helper: ChildProcess): void {
  helper.unref();
  helper.channel?.unref();
}

function awake(helper: ChildProcess): void {
  helper.ref();
  helper.channel?.ref();
}
