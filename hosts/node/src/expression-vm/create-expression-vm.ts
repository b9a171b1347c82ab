import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { ExpressionVm, ExpressionVmReply, ExpressionVmRequest } from '@relavium/engine';
import { CONTROL, CONTROL_BYTES, FAILURES, INBOX_BYTES, OUTBOX_BYTES, REPLY, STATE, type WorkerStart } from './protocol.js';
import { newWaitForTurn, type WaitForTurn } from './wait-for-turn.js';
import { webAssembly } from './web-assembly.js';

export interface NodeExpressionVm extends ExpressionVm {
  /** Ends the thread, if there is one. The VM can still be used afterwards: it starts anew. */
  close(): Promise<void>;
}

/** Where the two files are that the thread needs. */
export interface ExpressionVmFiles {
  /** `expression-worker.js`. */
  readonly worker: URL;
  /** `quickjs.wasm` of the package quickjs-wasi. */
  readonly wasm: URL;
}

/**
 * The expression VM in a thread of its own, which is called synchronously: the calling thread sleeps until the answer is there. A
 * native of the VM that runs for long calls no interrupt handler, so after two seconds the thread is ended (reason `timeout`) and the
 * next evaluation starts another. Nothing is started before the first evaluation, and the thread does not keep the process alive.
 */
export function createExpressionVm(files?: ExpressionVmFiles): NodeExpressionVm {
  let module: object | undefined;
  let thread: Thread | undefined;

  const evaluate = (request: ExpressionVmRequest): ExpressionVmReply => {
    if (thread === undefined || thread.ended) {
      const { worker, wasm } = files ?? besideThisModule();
      module ??= new webAssembly.Module(readFileSync(wasm));
      thread = startThread(worker, module);
    }
    const used = thread;
    try {
      const reply = evaluateIn(used, request);
      if (reply !== undefined) return reply;
    } catch (error) {
      // The VM still waits for the answer that failed.
      end(used);
      throw error;
    }
    end(used);
    return { ok: false, reason: 'timeout', message: `the expression took longer than ${TIME_LIMIT_MS / 1000} s` };
  };
  const close = async (): Promise<void> => {
    const closing = thread;
    thread = undefined;
    if (closing !== undefined) await end(closing);
  };
  return { evaluate, close };
}

const TIME_LIMIT_MS = 2000;
const START_LIMIT_MS = 30_000;

/** A bundle puts both files beside itself; a package that is not bundled has the VM among its dependencies. */
function besideThisModule(): ExpressionVmFiles {
  const worker = new URL('./expression-worker.js', import.meta.url);
  const wasm = new URL('./quickjs.wasm', import.meta.url);
  return { worker, wasm: existsSync(wasm) ? wasm : pathToFileURL(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm')) };
}

interface Thread {
  readonly worker: Worker;
  readonly control: Int32Array<SharedArrayBuffer>;
  readonly outbox: Buffer;
  readonly inboxes: MessagePort;
  readonly wait: WaitForTurn;
  inbox: Buffer;
  ended: boolean;
}

function startThread(file: URL, module: object): Thread {
  if (!existsSync(file)) throw new Error(`the expression VM is not installed: there is no ${fileURLToPath(file)}`);
  const control = new Int32Array(new SharedArrayBuffer(CONTROL_BYTES));
  const inbox = new SharedArrayBuffer(INBOX_BYTES);
  const outbox = new SharedArrayBuffer(OUTBOX_BYTES);
  const { port1: ours, port2: theirs } = new MessageChannel();
  const workerData: WorkerStart = { control, inbox, outbox, inboxes: theirs, module };
  const worker = new Worker(file, {
    workerData,
    transferList: [theirs],
    env: {},
    execArgv: [],
    // Expressions are bounded by the stack of the VM; the thread's own has to hold what that takes of it.
    resourceLimits: { stackSizeMb: 16 },
  });
  const thread: Thread = {
    worker,
    control,
    outbox: Buffer.from(outbox),
    inboxes: ours,
    wait: newWaitForTurn(control),
    inbox: Buffer.from(inbox),
    ended: false,
  };
  worker.unref();
  worker.on('error', () => {
    thread.ended = true;
  });
  const state = thread.wait(STATE.starting, performance.now() + START_LIMIT_MS);
  if (state === STATE.ready) return thread;
  const message = state === STATE.failed ? textFrom(thread) : `no sign of life in ${START_LIMIT_MS / 1000} s`;
  end(thread);
  throw new Error(`the expression VM did not start: ${message}`);
}

function end(thread: Thread): Promise<unknown> {
  thread.ended = true;
  thread.inboxes.close();
  return thread.worker.terminate();
}

/** Nothing when the time is up. */
function evaluateIn(thread: Thread, { source, data, ask }: ExpressionVmRequest): ExpressionVmReply | undefined {
  const { control } = thread;
  const deadline = performance.now() + TIME_LIMIT_MS;
  if (source.length + data.length > MAX_REQUEST) return { ok: false, reason: 'memory', message: 'what the expression reads is too large' };
  reserve(thread, source.length + data.length);
  const sourceBytes = thread.inbox.write(source);
  control[CONTROL.sourceBytes] = sourceBytes;
  control[CONTROL.dataBytes] = thread.inbox.write(data, sourceBytes);
  let given: number = STATE.evaluate;
  for (;;) {
    Atomics.store(control, CONTROL.state, given);
    Atomics.notify(control, CONTROL.state);
    const state = thread.wait(given, deadline);
    if (state === STATE.ready) return replyFrom(thread);
    if (state !== STATE.asking) return undefined;
    const answer = ask(textFrom(thread));
    reserve(thread, answer.length);
    control[CONTROL.dataBytes] = thread.inbox.write(answer);
    given = STATE.answered;
  }
}

/** In UTF-16 units; the VM itself has 64 MiB. */
const MAX_REQUEST = 64 * 1024 * 1024;

/** Makes sure that a text of this many UTF-16 units fits into the inbox. */
function reserve(thread: Thread, units: number): void {
  const bytes = units * 3;
  if (bytes <= thread.inbox.length) return;
  const inbox = new SharedArrayBuffer(Math.max(bytes, thread.inbox.length * 2));
  thread.inbox = Buffer.from(inbox);
  thread.inboxes.postMessage(inbox);
  thread.control[CONTROL.generation] = (thread.control[CONTROL.generation] as number) + 1;
}

function replyFrom(thread: Thread): ExpressionVmReply {
  const reply = thread.control[CONTROL.reply] as number;
  if (reply === REPLY.nothing) return { ok: true };
  const text = textFrom(thread);
  if (reply === REPLY.text) return { ok: true, text };
  return { ok: false, reason: FAILURES[reply - REPLY.failure] as (typeof FAILURES)[number], message: text };
}

function textFrom({ outbox, control }: Thread): string {
  return outbox.toString('utf8', 0, control[CONTROL.outBytes]);
}
