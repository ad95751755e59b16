/** What was said and not yet heard. @module */

/** Values for one reader, in the order in which they came. */
export class MessageQueue<T> implements AsyncIterable<T, void> {
  readonly #waiting: T[] = [];
  #change = Promise.withResolvers<void>();
  #hasEnded = false;

  /** Takes a value; lost after the end. */
  push(value: T): void {
    if (this.#hasEnded) return;
    this.#waiting.push(value);
    this.#change.resolve();
  }

  /** No more will come; what waits is still heard. */
  end(): void {
    this.#hasEnded = true;
    this.#change.resolve();
  }

  /** The values; to be asked for once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift()!;
      if (this.#hasEnded) return;
      await this.#change.promise;
      this.#change = Promise.withResolvers();
    }
  }
}
