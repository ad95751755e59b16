/** A bound on requests that are under way at once. @module */

/** Gives a slot back; harmless when it was given back already. */
export type Release = () => void;

/** At most so many slots are taken at once; whoever comes later waits in order. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  /** Makes `size` free slots. */
  constructor(size: number) {
    this.#free = size;
  }

  /**
   * Takes a slot, at once when one is free.
   *
   * @param signal Ends the waiting; no slot is taken then.
   * @throws The signal's reason when it fired.
   */
  async take(signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#pass();
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(enter);
        reject(signal.reason);
      };
      this.#waiting.add(enter);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** The slot goes to the one who has waited longest. */
  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
