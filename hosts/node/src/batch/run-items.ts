import { orderedRows } from './ordered-rows.js';

export interface ItemRuns<Item> {
  readonly items: AsyncIterable<Item>;
  /** Items in progress at once. */
  readonly concurrency: number;
  readonly order: 'input' | 'ended';
  /** Resolves to the item's row with its line end, or to `undefined` if it leaves none. Rejects only for a fault. */
  readonly run: (item: Item, index: number) => Promise<string | undefined>;
  /** Takes one or several whole rows. */
  readonly write: (rows: string) => void;
  /** Once aborted no further item begins; what runs is waited for. */
  readonly stop: AbortSignal;
}

/**
 * Runs each item and hands on its row. Items are asked for one by one as there is room, so that neither what is to come nor what waits
 * for its turn piles up. Rejects with the first fault, after everything that had begun has ended.
 */
export async function runItems<Item>({ items, concurrency, order, run, write, stop }: ItemRuns<Item>): Promise<void> {
  const rows = orderedRows();
  const bell = doorbell();
  stop.addEventListener('abort', bell.ring, { once: true });
  let fault: { readonly cause: unknown } | undefined;
  let running = 0;
  let begun = 0;
  const isOver = (): boolean => stop.aborted || fault !== undefined;
  const isFull = (): boolean => running >= concurrency || (order === 'input' && !rows.hasRoom(begun));

  const follow = async (item: Item, index: number): Promise<void> => {
    try {
      const row = await run(item, index);
      const due = order === 'input' ? rows.add(index, row) : (row ?? '');
      if (due !== '') write(due);
    } catch (cause) {
      fault ??= { cause };
    }
    running--;
    bell.ring();
  };

  const reading = items[Symbol.asyncIterator]();
  try {
    while (!isOver()) {
      if (isFull()) {
        await bell.next();
        continue;
      }
      const next = await unlessStopped(reading, stop);
      if (next === undefined || next.done === true) break;
      running++;
      void follow(next.value, begun++);
    }
  } catch (cause) {
    fault ??= { cause };
  }
  while (running > 0) await bell.next();
  stop.removeEventListener('abort', bell.ring);
  // Not waited for: a source that nobody writes to any more never answers.
  reading.return?.().then(undefined, () => {});
  if (fault !== undefined) throw fault.cause;
}

/** Whoever waits goes on when something has happened. One may wait at a time. */
function doorbell(): { next(): Promise<void>; readonly ring: () => void } {
  let wake: (() => void) | undefined;
  return {
    next: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    ring() {
      wake?.();
      wake = undefined;
    },
  };
}

/** The next item, or `undefined` if the signal comes first: a pipe may be silent for as long as it likes. */
function unlessStopped<Item>(reading: AsyncIterator<Item>, stop: AbortSignal): Promise<IteratorResult<Item> | undefined> {
  // A race with a promise that lasts would leave something behind in it for every item.
  return new Promise((resolve, reject) => {
    const stopped = (): void => resolve(undefined);
    stop.addEventListener('abort', stopped, { once: true });
    reading.next().then((next) => {
      stop.removeEventListener('abort', stopped);
      resolve(next);
    }, reject);
  });
}
