/** A map that forgets what was used longest ago. @module */

/** A value between those that were used before and after it. */
interface Row<K, V> {
  readonly key: K;
  value: V;
  older: Row<K, V> | undefined;
  newer: Row<K, V> | undefined;
}

/**
 * Keeps at most a given weight of values; the least recently used go first.
 *
 * The order is a list of its own: a `Map` keeps a hole for each key that is removed and added again, and every look at
 * a key that is used often walks over all of them.
 */
export class Lru<K, V> {
  readonly #limit: number;
  readonly #weigh: (value: V) => number;
  readonly #rows = new Map<K, Row<K, V>>();
  #oldest: Row<K, V> | undefined;
  #newest: Row<K, V> | undefined;
  #weight = 0;

  /**
   * Makes an empty map.
   *
   * @param limit Largest sum of weights.
   * @param weigh Weight of one value, constant while it is in the map; 1 when not given, so that `limit` is a count.
   */
  constructor(limit: number, weigh: (value: V) => number = () => 1) {
    this.#limit = limit;
    this.#weigh = weigh;
  }

  /** Number of values. */
  get size(): number {
    return this.#rows.size;
  }

  /** Sum of the weights of all values. */
  get weight(): number {
    return this.#weight;
  }

  /** The value, which becomes the most recently used; `undefined` when absent. */
  get(key: K): V | undefined {
    const row = this.#rows.get(key);
    if (row === undefined) return undefined;
    if (row !== this.#newest) {
      this.#unlink(row);
      this.#append(row);
    }
    return row.value;
  }

  /** Adds or replaces a value. One that outweighs the whole map is not kept. */
  set(key: K, value: V): void {
    const weight = this.#weigh(value);
    if (weight > this.#limit) return this.delete(key);
    const known = this.#rows.get(key);
    if (known !== undefined) {
      this.#weight -= this.#weigh(known.value);
      known.value = value;
      this.#unlink(known);
      this.#append(known);
    } else {
      const row = { key, value, older: undefined, newer: undefined };
      this.#rows.set(key, row);
      this.#append(row);
    }
    this.#weight += weight;
    while (this.#weight > this.#limit) this.evict();
  }

  /** Removes a value, if it is there. */
  delete(key: K): void {
    const row = this.#rows.get(key);
    if (row === undefined) return;
    this.#rows.delete(key);
    this.#unlink(row);
    this.#weight -= this.#weigh(row.value);
  }

  /** Removes the least recently used value, if there is any. */
  evict(): void {
    if (this.#oldest !== undefined) this.delete(this.#oldest.key);
  }

  /** Removes the values that `isGone` is true of, without using the others. O(size). */
  deleteWhere(isGone: (value: V) => boolean): void {
    for (const [key, { value }] of this.#rows) {
      if (isGone(value)) this.delete(key);
    }
  }

  /** Removes all values. */
  clear(): void {
    this.#rows.clear();
    this.#oldest = this.#newest = undefined;
    this.#weight = 0;
  }

  #append(row: Row<K, V>): void {
    row.older = this.#newest;
    row.newer = undefined;
    if (this.#newest === undefined) this.#oldest = row;
    else this.#newest.newer = row;
    this.#newest = row;
  }

  #unlink({ older, newer }: Row<K, V>): void {
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
  }
}
