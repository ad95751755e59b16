/** A call that is made a moment later, and whose promise is there at once. @module */

/**
 * Stands for the promise of a call that waits for something first. What is asked of it is asked of the call's own
 * promise as soon as there is one, so that nothing is read that nobody asked for.
 */
export class LaterCall<T> extends Promise<T> {
  readonly #call: Promise<{ readonly promise: PromiseLike<T> }>;
  #result: Promise<T> | undefined;

  /** Makes calls whose results are plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /**
   * Makes the call.
   *
   * @param ready Resolves when it may be made.
   * @param call Makes it.
   */
  constructor(ready: Promise<unknown>, call: () => PromiseLike<T>) {
    super((resolve) => resolve(undefined as T));
    // In an object, lest the promise be taken for the result of the promise around it.
    this.#call = ready.then(() => ({ promise: call() }));
    // Whoever asks for the result is told; a call that nobody asks about fails in silence, as the client's own would.
    this.#call.catch(() => {});
  }

  /** As of every promise. */
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= this.#call.then(({ promise }) => promise);
    return this.#result.then(onFulfilled, onRejected);
  }

  /** As of every promise. */
  override catch<B = never>(
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<T | B> {
    return this.then(undefined, onRejected);
  }

  /** As of every promise. */
  override finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }

  /** The response, unread. */
  asResponse(): Promise<unknown> {
    return this.#asked("asResponse");
  }

  /** The result, and the response. */
  withResponse(): Promise<unknown> {
    return this.#asked("withResponse");
  }

  async #asked(name: "asResponse" | "withResponse"): Promise<unknown> {
    const { promise } = await this.#call;
    const method = Object(promise)[name];
    if (typeof method !== "function") {
      throw new TypeError(`Cannot call ${name}: this client's calls have none`);
    }
    return await method.call(promise);
  }
}
