/** A file as far as a change shows. Times are milliseconds since the epoch. */
export interface Snapshot {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/**
 * Tells when files have come to rest after they moved. Knows no clock: instants are handed in, and so is what stands on the disk.
 *
 * Invariants: a path is given out only if it differs from what it was when it was given out last; it has not moved for the debounce
 * time then, unless another file was put in its place as a whole.
 */
export interface Settling {
  /** What a path is before anything is reported. A file that was written to a moment ago may be in the middle of it. */
  start(path: string, found: Snapshot | undefined, at: number): void;
  isKnown(path: string): boolean;
  /** A hint that something has happened, and what is there now. Gives the instant from which it counts as being at rest, if it moved. */
  look(path: string, found: Snapshot | undefined, at: number): number | undefined;
  /** Says that the file as it is now was written by the run itself. */
  own(path: string, found: Snapshot | undefined): void;
  forget(path: string): void;
  readonly moving: readonly string[];
  readonly known: readonly string[];
  /** When to look at everything that moves again, if something does. */
  due(): number | undefined;
  /** What has come to rest and is to be told: what was written to all together, what was put in place at once. */
  take(at: number): readonly Settled[];
}

export interface Settled {
  readonly path: string;
  /** Absent if there is no file any more. */
  readonly found?: Snapshot;
}

/** The clock of the disk may be a little ahead. A time that lies farther in the future says nothing about now. */
const CLOCK_SLACK_MS = 2_000;
/** A file that was put in place as a whole waits this long for others that come with it. */
const GATHER_MS = 20;
/** What is at rest waits for what still moves, but no longer than so many times the debounce time. */
const PATIENCE = 10;

interface Moving {
  readonly found: Snapshot | undefined;
  /** Instant from which it counts as being at rest. */
  readonly restsAt: number;
  /** `written`: it waits for the others that move. */
  readonly how: 'as it was' | 'written' | 'put in place';
}

export function createSettling(debounceMs: number): Settling {
  const known = new Map<string, Snapshot | undefined>();
  const moving = new Map<string, Moving>();
  const owned = new Map<string, Snapshot | undefined>();

  const restsOf = (kind: Moving['how']): readonly number[] =>
    [...moving.values()].flatMap(({ how, restsAt }) => (how === kind ? restsAt : []));
  /** When what was written to is told: all of it together, but for what never comes to rest. */
  const writtenDue = (): number => {
    const rests = restsOf('written');
    return rests.length === 0 ? Number.POSITIVE_INFINITY : Math.min(highest(rests), lowest(rests) + debounceMs * PATIENCE);
  };
  const due = (): number | undefined =>
    moving.size === 0 ? undefined : Math.min(writtenDue(), lowest(restsOf('as it was')), lowest(restsOf('put in place')));

  return {
    start(path, found, at) {
      known.set(path, found);
      const age = found === undefined ? debounceMs : at - found.mtimeMs;
      if (age > -CLOCK_SLACK_MS && age < debounceMs)
        moving.set(path, { found, restsAt: at + debounceMs - Math.max(0, age), how: 'as it was' });
    },
    isKnown: (path) => known.has(path),
    look(path, found, at) {
      const before = moving.has(path) ? moving.get(path)!.found : known.get(path);
      if (same(before, found)) return undefined;
      const isWhole = isPutInPlace(known.get(path), found);
      const restsAt = at + (isWhole ? Math.min(GATHER_MS, debounceMs) : debounceMs);
      moving.set(path, { found, restsAt, how: isWhole ? 'put in place' : 'written' });
      return restsAt;
    },
    own(path, found) {
      owned.set(path, found);
    },
    forget(path) {
      known.delete(path);
      moving.delete(path);
      owned.delete(path);
    },
    get moving(): readonly string[] {
      return [...moving.keys()];
    },
    get known(): readonly string[] {
      return [...known.keys()];
    },
    due,
    take(at) {
      const isWrittenDue = writtenDue() <= at;
      const taken: Settled[] = [];
      for (const [path, { found, restsAt, how }] of moving) {
        if (restsAt > at || (how === 'written' && !isWrittenDue)) continue;
        moving.delete(path);
        const isOwn = owned.has(path) && same(owned.get(path), found);
        const isChange = !same(known.get(path), found) && !isOwn;
        known.set(path, found);
        if (isChange) taken.push(found === undefined ? { path } : { path, found });
      }
      return taken;
    },
  };
}

function highest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), Number.NEGATIVE_INFINITY);
}

/** Infinity of none. */
function lowest(numbers: readonly number[]): number {
  return numbers.reduce((least, number) => Math.min(least, number), Number.POSITIVE_INFINITY);
}

function same(a: Snapshot | undefined, b: Snapshot | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs);
}

/**
 * Another file took the name, and it was last written to before its name or place changed: it was complete when it came. One that is
 * made under the name and then written to has both times the same.
 */
function isPutInPlace(before: Snapshot | undefined, found: Snapshot | undefined): boolean {
  return found !== undefined && found.ino !== before?.ino && found.size > 0 && found.mtimeMs < found.ctimeMs;
}
