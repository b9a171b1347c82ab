import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderedRows } from '../../../../hosts/node/src/batch/ordered-rows.js';
import { type ItemRuns, runItems } from '../../../../hosts/node/src/batch/run-items.js';

async function* upTo(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n++) yield n;
}

const parts = (runs: Partial<ItemRuns<number>>): ItemRuns<number> => ({
  items: upTo(10),
  concurrency: 3,
  order: 'input',
  run: async (item) => `${item}\n`,
  write: () => {},
  stop: new AbortController().signal,
  ...runs,
});

describe('rows', () => {
  it('come out in the order of their items, whatever order they were ready in, and none is lost', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Array.from({ length: 20 }, (_, n) => n)), fc.func(fc.boolean()), (ready, leavesNone) => {
        const rows = orderedRows();
        const missing = Array.from({ length: 20 }, (_, n) => n).filter((n) => !ready.includes(n));
        let text = '';
        for (const n of [...ready, ...missing]) text += rows.add(n, leavesNone(n) ? undefined : `${n},`);
        const wanted = Array.from({ length: 20 }, (_, n) => (leavesNone(n) ? '' : `${n},`)).join('');
        expect(text).toBe(wanted);
      }),
    );
  });

  it('that are held back leave no room for ever more', () => {
    const many = orderedRows();
    expect([many.hasRoom(1_023), many.hasRoom(1_024)]).toEqual([true, false]);
    const large = orderedRows();
    large.add(1, 'x'.repeat(16 * 1024 * 1024));
    expect(large.hasRoom(2)).toBe(false);
    large.add(0, '');
    expect(large.hasRoom(2)).toBe(true);
  });
});

describe('runItems', () => {
  it('keeps at most as many in progress as it may, and no fewer while there are items', async () => {
    let now = 0;
    let most = 0;
    await runItems(
      parts({
        run: async () => {
          most = Math.max(most, ++now);
          await turn();
          now--;
          return undefined;
        },
      }),
    );
    expect(most).toBe(3);
  });

  it('writes in input order, or as they end', async () => {
    const written = async (order: 'input' | 'ended'): Promise<string> => {
      let text = '';
      await runItems(
        parts({
          items: upTo(4),
          concurrency: 4,
          order,
          run: async (item) => {
            for (let n = item; n < 4; n++) await turn();
            return `${item} `;
          },
          write: (rows) => {
            text += rows;
          },
        }),
      );
      return text;
    };
    expect(await written('input')).toBe('0 1 2 3 ');
    expect(await written('ended')).toBe('3 2 1 0 ');
  });

  it('asks for no item that it has no room for', async () => {
    let asked = 0;
    async function* counted(): AsyncGenerator<number> {
      for (;;) yield asked++;
    }
    let free: () => void = () => {};
    const first = new Promise<void>((resolve) => {
      free = resolve;
    });
    const stop = new AbortController();
    const all = runItems(
      parts({
        items: counted(),
        stop: stop.signal,
        run: async (item) => {
          if (item === 0) await first;
          return 'row\n';
        },
      }),
    );
    for (let n = 0; n < 200; n++) await turn();
    expect(asked).toBeLessThanOrEqual(1_025);
    stop.abort();
    free();
    await all;
  });

  it('stops while a source is silent, and waits for what runs', async () => {
    const stop = new AbortController();
    let isReturned = false;
    const silent: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => {
        let given = 0;
        return {
          next: () => (given++ === 0 ? Promise.resolve({ done: false, value: 1 }) : new Promise(() => {})),
          return: () => {
            isReturned = true;
            return new Promise(() => {});
          },
        };
      },
    };
    let ended = false;
    setImmediate(() => stop.abort());
    await runItems(
      parts({
        items: silent,
        stop: stop.signal,
        run: async () => {
          for (let n = 0; n < 5; n++) await turn();
          ended = true;
          return undefined;
        },
      }),
    );
    expect([ended, isReturned]).toEqual([true, true]);
  });

  it('hands on a fault of a run, of the source or of the writer once everything that runs has ended', async () => {
    let running = 0;
    const slow = async (item: number): Promise<string> => {
      running++;
      await turn();
      running--;
      if (item === 3) throw new Error('run');
      return 'row';
    };
    await expect(runItems(parts({ run: slow }))).rejects.toThrow('run');
    expect(running).toBe(0);
    const broken: AsyncIterable<number> = {
      async *[Symbol.asyncIterator]() {
        yield 1;
        throw new Error('source');
      },
    };
    await expect(runItems(parts({ items: broken }))).rejects.toThrow('source');
    const write = (): void => {
      throw new Error('writer');
    };
    await expect(runItems(parts({ write }))).rejects.toThrow('writer');
  });

  it('leaves nothing behind in the signal, however many items there are', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...given: Parameters<typeof add>) => {
        listeners++;
        add(...given);
      },
      removeEventListener: (...given: Parameters<typeof remove>) => {
        listeners--;
        remove(...given);
      },
    });
    await runItems(parts({ items: upTo(500), stop: signal }));
    expect(listeners).toBe(0);
  });
});
