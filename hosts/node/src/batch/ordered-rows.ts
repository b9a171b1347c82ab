/** Puts rows that are ready in any order back into the order of their items. */
export interface OrderedRows {
  /** `undefined`: the item has no row, and the next one need not wait for it. Gives the rows whose turn has come, as one text. */
  add(index: number, row: string | undefined): string;
  /** Items begun beyond the oldest one that has no row yet are to stay below this: what is held back stays bounded. */
  hasRoom(nextIndex: number): boolean;
}

/** Items between the oldest one without a row and the newest that was begun. */
const FARTHEST = 1_024;
/** UTF-16 units of rows that are held back. */
const MOST_HELD = 16 * 1024 * 1024;

export function orderedRows(): OrderedRows {
  const held = new Map<number, string | undefined>();
  let size = 0;
  let next = 0;
  return {
    add(index, row) {
      held.set(index, row);
      size += row?.length ?? 0;
      let due = '';
      while (held.has(next)) {
        const ready = held.get(next);
        held.delete(next);
        next++;
        if (ready === undefined) continue;
        size -= ready.length;
        due += ready;
      }
      return due;
    },
    hasRoom: (nextIndex) => nextIndex - next < FARTHEST && size < MOST_HELD,
  };
}
