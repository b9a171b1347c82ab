import { duration } from '../render/duration.js';
import type { Tally } from './tally.js';

export interface BatchProgress {
  readonly tally: Tally;
  readonly elapsedMs: number;
  /** Items in all, and whether that is known or worked out from how far the source has been read. */
  readonly total?: { readonly count: number; readonly isExact: boolean };
}

/** How a batch stands, in one line: `312 of about 1200 done, 4 failed, 8 running, 41/s, 21.6 s left`. */
export function progressLine({ tally, elapsedMs, total }: BatchProgress): string {
  const done = tally.succeeded + tally.failed + tally.cancelled;
  const running = tally.begun - done;
  const perMs = elapsedMs > 0 ? done / elapsedMs : 0;
  const left = total === undefined || perMs === 0 ? undefined : Math.max(0, total.count - done) / perMs;
  const parts = [
    `${done}${total === undefined ? '' : ` of ${total.isExact ? '' : 'about '}${Math.max(total.count, done)}`} done`,
    tally.failed > 0 ? `${tally.failed} failed` : '',
    running > 0 ? `${running} running` : '',
    done > 0 ? rate(perMs * 1000) : '',
    left === undefined || left === 0 ? '' : `${duration(left)} left`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Items a time: `41/s`, `0.7/s`, `4/min`. */
export function rate(perSecond: number): string {
  if (perSecond >= 10) return `${Math.round(perSecond)}/s`;
  return perSecond >= 0.1 ? `${perSecond.toFixed(1)}/s` : `${(perSecond * 60).toFixed(1)}/min`;
}
