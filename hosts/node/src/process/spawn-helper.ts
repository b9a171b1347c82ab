import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { FromHelper, ToHelper } from './helper-protocol.js';
import { type ChildSpec, spawnProgram } from './started-child.js';

/**
 * A process of its own, started by `spawn-through-helper.ts`. It takes two connections for each program, which become the program's
 * output, so nothing that the program writes goes through here. When the process that it works for is gone, it ends what still runs.
 */
const address = process.argv[2]!;
const requests = new Map<number, Partial<Request>>();
const groups = new Set<number>();

interface Request {
  readonly spec: ChildSpec;
  readonly stdout: Socket;
  readonly stderr: Socket;
}

process.on('message', ({ id, spec }: ToHelper) => add(id, { spec }));
process.on('disconnect', () => {
  for (const leader of groups) kill(leader);
  rmSync(dirname(address), { recursive: true, force: true });
  process.exit();
});

createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (line: Buffer) => {
    socket.pause();
    const [id, stream] = line.toString('latin1').trim().split(' ') as [string, 'stdout' | 'stderr'];
    add(Number(id), { [stream]: socket });
  });
}).listen(address, () => send({ type: 'up' }));

function add(id: number, part: Partial<Request>): void {
  const request = { ...requests.get(id), ...part };
  requests.set(id, request);
  const { spec, stdout, stderr } = request;
  if (spec === undefined || stdout === undefined || stderr === undefined) return;
  requests.delete(id);
  start(id, { spec, stdout, stderr });
}

function start(id: number, { spec, stdout, stderr }: Request): void {
  const failed = (error: unknown) =>
    send({ type: 'failed', id, code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' });
  try {
    const child = spawnProgram(spec, [stdout, stderr]);
    const { pid } = child;
    child.on('error', (error) => {
      if (pid === undefined) failed(error);
    });
    if (pid === undefined) return;
    groups.add(pid);
    child.once('exit', (code, signal) => {
      groups.delete(pid);
      send({ type: 'exited', id, code, signal });
    });
    send({ type: 'started', id, pid });
  } catch (error) {
    failed(error);
  } finally {
    // The program has copies of its own, and the other end must see the end of the last of them.
    stdout.destroy();
    stderr.destroy();
  }
}

function send(message: FromHelper): void {
  if (process.connected) process.send!(message);
}

function kill(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
