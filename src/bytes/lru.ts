/** A map that forgets what was used longest ago. @module */

/** Keeps at most a given weight of values; the least recently used go first. */
export class Lru<K, V> {
  readonly #limit: number;
  readonly #weigh: (value: V) => number;
  readonly #rows = new Map<K, V>();
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
    const value = this.#rows.get(key);
    if (value === undefined) return undefined;
    this.#rows.delete(key);
    this.#rows.set(key, value);
    return value;
  }

  /** Adds or replaces a value. One that outweighs the whole map is not kept. */
  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.#weigh(value);
    if (weight > this.#limit) return;
    this.#rows.set(key, value);
    this.#weight += weight;
    while (this.#weight > this.#limit) this.evict();
  }

  /** Removes a value, if it is there. */
  delete(key: K): void {
    const value = this.#rows.get(key);
    if (value === undefined) return;
    this.#rows.delete(key);
    this.#weight -= this.#weigh(value);
  }

  /** Removes the least recently used value, if there is any. */
  evict(): void {
    for (const oldest of this.#rows.keys()) return this.delete(oldest);
  }

  /** Removes the values that `isGone` is true of, without using the others. O(size). */
  deleteWhere(isGone: (value: V) => boolean): void {
    for (const [key, value] of this.#rows) {
      if (isGone(value)) this.delete(key);
    }
  }

  /** Removes all values. */
  clear(): void {
    this.#rows.clear();
    this.#weight = 0;
  }
}
