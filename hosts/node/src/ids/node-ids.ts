import { randomBytes } from 'node:crypto';

/** Makes ids that no one can guess and that sort by the time at which they were made. */
export interface Ids {
  /** A UUID of version 7: milliseconds, then a counter, then chance. */
  runId(): string;
}

/** Ids of one maker ascend even within a millisecond and while the clock is set back. */
export function nodeIds(now: () => number = Date.now): Ids {
  let last = 0;
  let counter = 0;
  return {
    runId() {
      const time = Math.floor(now());
      if (time > last) {
        last = time;
        counter = 0;
      } else if (++counter > MAX_COUNTER) {
        last++;
        counter = 0;
      }
      return uuid(last, counter);
    },
  };
}

const MAX_COUNTER = 0xfff;

/** RFC 9562, section 5.7; the twelve bits after the version hold the counter (section 6.2, method 1). */
function uuid(time: number, counter: number): string {
  const chance = randomBytes(8);
  chance[0] = (chance[0]! & 0x3f) | 0x80;
  const hex = time.toString(16).padStart(12, '0') + (0x7000 | counter).toString(16) + chance.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
