/** Numbers that a seed decides. */

/** Makes the choices of a simulation: the same seed, the same choices. */
export class Random {
  #state = 0x811c9dc5;

  /** `seed` is any text; similar ones have nothing in common. */
  constructor(seed: string) {
    for (const byte of new TextEncoder().encode(seed)) {
      this.#state = Math.imul(this.#state ^ byte, 0x01000193);
    }
    // Zero is the one state that this generator never leaves.
    this.#state ||= 1;
    for (let i = 0; i < 8; i++) this.#next();
  }

  /** True with this probability, from 0 to 1. */
  chance(probability: number): boolean {
    return this.#next() / 2 ** 32 < probability;
  }

  /** An integer from 0 to `end` - 1. */
  below(end: number): number {
    return Math.floor(this.#next() / 2 ** 32 * end);
  }

  /** One of `values`, which are not empty. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** Xorshift: an integer from 1 to 2³² - 1. */
  #next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return x >>> 0;
  }
}
