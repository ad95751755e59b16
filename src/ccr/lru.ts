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
    for (const oldest of this.#rows.keys()) {
      if (this.#weight <= this.#limit) return;
      this.delete(oldest);
    }
  }

  /** Removes a value, if it is there. */
  delete(key: K): void {
    const value = this.#rows.get(key);
    if (value === undefined) return;
    this.#rows.delete(key);
    this.#weight -= this.#weigh(value);
  }
}
