import { CONTROL } from './protocol.js';

/**
 * Waits while the state of the channel is `given`; gives the next state, or `given` itself when the deadline has passed, an instant of
 * `performance.now()`.
 *
 * Being woken from sleep takes longer than most evaluations, so a thread looks at the state for a while before it lies down. Where that
 * does not help, because both threads share a core or the other has long work to do, it is soon given up and tried again only now and
 * then.
 */
export type WaitForTurn = (given: number, deadline: number) => number;

export function newWaitForTurn(control: Int32Array<SharedArrayBuffer>): WaitForTurn {
  let looks = MAX_LOOKS;
  let waits = 0;
  return (given, deadline) => {
    if (++waits % WAITS_BEFORE_RETRY === 0) looks = MAX_LOOKS;
    for (let i = 0; i < looks; i++) {
      const state = Atomics.load(control, CONTROL.state);
      if (state === given) continue;
      looks = MAX_LOOKS;
      return state;
    }
    looks >>= 1;
    for (;;) {
      const state = Atomics.load(control, CONTROL.state);
      const left = deadline - performance.now();
      if (state !== given || left <= 0) return state;
      Atomics.wait(control, CONTROL.state, given, left);
    }
  };
}

/** Some tens of microseconds. */
const MAX_LOOKS = 5000;
const WAITS_BEFORE_RETRY = 64;
