import { mask } from './mask.js';
import type { TextStream } from './text-stream.js';

/** Masks text that comes in pieces. Whole lines are passed on, so that a credential is not cut in two; `end` passes on the rest. */
export function maskStream(receive: (text: string) => void): TextStream {
  let held = '';
  const release = (text: string) => {
    if (text !== '') receive(mask(text));
  };
  return {
    push(text) {
      held += text;
      const whole = held.length > MAX_HELD ? held.length : held.lastIndexOf('\n') + 1;
      release(held.slice(0, whole));
      held = held.slice(whole);
    },
    end() {
      release(held);
      held = '';
    },
  };
}

/** A program that writes no line breaks is passed on in pieces of this size. */
const MAX_HELD = 16_384;
