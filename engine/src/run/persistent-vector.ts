const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Branch<T> = readonly (Branch<T> | T)[];

/**
 * An immutable list whose `get`, `set` and `push` cost the logarithm (base 32) of its length, so that a new state of a run shares all
 * but a few dozen slots with the one before it. (Bagwell, "Ideal Hash Trees", 2001, in the radix-balanced form.)
 *
 * An owner (any object) that sets several elements in a row may do so in place: what it has just copied is nobody else's yet. It must not
 * keep a vector that it goes on setting, nor set anything once it has given one away. ("Transients", as Clojure calls them.)
 *
 * Invariant: every leaf but the last is full, and all leaves lie at the same depth (`shift / BITS` levels below the root).
 */
export class PersistentVector<T> {
  readonly length: number;
  private readonly shift: number;
  private readonly root: Branch<T>;
  /** Who has made this vector by copying `leaf`, and which leaf that is. */
  #owner: object | undefined;
  #leaf: (Branch<T> | T)[] | undefined;
  #leafNumber = -1;

  private constructor(length: number, shift: number, root: Branch<T>) {
    this.length = length;
    this.shift = shift;
    this.root = root;
  }

  static from<T>(items: readonly T[]): PersistentVector<T> {
    let level: Branch<T>[] = [];
    for (let i = 0; i < items.length; i += WIDTH) level.push(items.slice(i, i + WIDTH));
    if (level.length === 0) return new PersistentVector<T>(0, 0, []);
    let shift = 0;
    while (level.length > 1) {
      const next: Branch<T>[] = [];
      for (let i = 0; i < level.length; i += WIDTH) next.push(level.slice(i, i + WIDTH));
      level = next;
      shift += BITS;
    }
    return new PersistentVector(items.length, shift, level[0]!);
  }

  /** The element at an index below `length`. */
  get(index: number): T {
    let branch = this.root;
    for (let shift = this.shift; shift > 0; shift -= BITS) branch = branch[(index >>> shift) & MASK] as Branch<T>;
    return branch[index & MASK] as T;
  }

  set(index: number, value: T, owner?: object): PersistentVector<T> {
    const leafNumber = index >>> BITS;
    if (owner !== undefined && this.#owner === owner && this.#leafNumber === leafNumber) {
      this.#leaf![index & MASK] = value;
      return this;
    }
    const next = new PersistentVector(this.length, this.shift, replaced(this.root, this.shift, index, value));
    if (owner !== undefined) next.#ownedBy(owner, index);
    return next;
  }

  #ownedBy(owner: object, index: number): void {
    let branch = this.root;
    for (let shift = this.shift; shift > 0; shift -= BITS) branch = branch[(index >>> shift) & MASK] as Branch<T>;
    this.#owner = owner;
    this.#leaf = branch as (Branch<T> | T)[];
    this.#leafNumber = index >>> BITS;
  }

  push(value: T): PersistentVector<T> {
    const isFull = this.length === WIDTH << this.shift;
    return isFull
      ? new PersistentVector(this.length + 1, this.shift + BITS, [this.root, ...replacedIn([], this.shift, value)])
      : new PersistentVector(this.length + 1, this.shift, replaced(this.root, this.shift, this.length, value));
  }

  toArray(): T[] {
    const items: T[] = [];
    for (let i = 0; i < this.length; i++) items.push(this.get(i));
    return items;
  }
}

function replaced<T>(branch: Branch<T>, shift: number, index: number, value: T): Branch<T> {
  const copy = branch.slice();
  const slot = (index >>> shift) & MASK;
  copy[slot] = shift === 0 ? value : replaced((copy[slot] as Branch<T> | undefined) ?? [], shift - BITS, index, value);
  return copy;
}

/** The one new path that a full vector gets beside its old root. */
function replacedIn<T>(branch: Branch<T>, shift: number, value: T): Branch<T> {
  let path: Branch<T> | T = value;
  for (let s = 0; s <= shift; s += BITS) path = [path];
  return [...branch, path];
}
