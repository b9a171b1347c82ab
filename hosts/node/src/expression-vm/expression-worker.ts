import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import { bootQuickJs, type QuickJs, type QuickJsExports, type QuickJsReply } from '@relavium/engine';
import { CONTROL, FAILURES, REPLY, STATE, type WorkerStart } from './protocol.js';
import { newWaitForTurn } from './wait-for-turn.js';
import { webAssembly } from './web-assembly.js';

/** The thread that the expression VM lives in: it never returns to its event loop, and ends by being terminated. */
function main(): void {
  const { control, outbox: outboxMemory, module } = start;
  const outbox = Buffer.from(outboxMemory);
  const wait = newWaitForTurn(control);
  let quickJs: QuickJs;
  try {
    quickJs = bootQuickJs((imports) => new webAssembly.Instance(module, imports).exports as QuickJsExports);
  } catch (error) {
    control[CONTROL.outBytes] = outbox.write(String(error));
    giveTurn(control, STATE.failed);
    return;
  }
  giveTurn(control, STATE.ready);
  const ask = (question: Uint8Array): Uint8Array => {
    outbox.set(question);
    control[CONTROL.outBytes] = question.length;
    giveTurn(control, STATE.asking);
    wait(STATE.asking, Number.POSITIVE_INFINITY);
    return new Uint8Array(inbox(control), 0, control[CONTROL.dataBytes]);
  };
  for (;;) {
    wait(STATE.ready, Number.POSITIVE_INFINITY);
    const sourceBytes = control[CONTROL.sourceBytes] as number;
    const text = inbox(control);
    const reply = quickJs.evaluate(
      new Uint8Array(text, 0, sourceBytes),
      new Uint8Array(text, sourceBytes, control[CONTROL.dataBytes]),
      ask,
    );
    write(reply, control, outbox);
    giveTurn(control, STATE.ready);
    // While the caller goes on: the next evaluation finds the VM as it was after boot.
    quickJs.reset();
  }
}

const start = workerData as WorkerStart;
let generation = 0;
let currentInbox = start.inbox;

/** The inbox that the caller wrote to last. */
function inbox(control: Int32Array): SharedArrayBuffer {
  if (control[CONTROL.generation] !== generation) {
    generation = control[CONTROL.generation] as number;
    for (let next = receiveMessageOnPort(start.inboxes); next !== undefined; next = receiveMessageOnPort(start.inboxes)) {
      currentInbox = next.message as SharedArrayBuffer;
    }
  }
  return currentInbox;
}

function write(reply: QuickJsReply, control: Int32Array, outbox: Buffer): void {
  if (!reply.ok) {
    control[CONTROL.reply] = REPLY.failure + FAILURES.indexOf(reply.reason);
    control[CONTROL.outBytes] = outbox.write(reply.message);
    return;
  }
  control[CONTROL.reply] = reply.text === undefined ? REPLY.nothing : REPLY.text;
  if (reply.text !== undefined) outbox.set(reply.text);
  control[CONTROL.outBytes] = reply.text?.length ?? 0;
}

function giveTurn(control: Int32Array<SharedArrayBuffer>, state: number): void {
  Atomics.store(control, CONTROL.state, state);
  Atomics.notify(control, CONTROL.state);
}

main();
