/** Requests to providers from their arrival to their record: one list for clients that leave, reports and the stop. @module */
import type { ProxyEnv } from "./env.ts";

/** All of them, and the records that wait for their count. */
export class CallsInFlight {
  readonly #calls = new Set<AbortController>();
  readonly #records = new Set<Promise<void>>();

  /** Whether no request waits for its response or its end. */
  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  /** Adds one request; without a server nothing says when its client leaves. */
  begin(
    { signal }: Pick<Request, "signal">,
    { onLeave }: Partial<ProxyEnv["Bindings"]>,
  ) {
    const call = new AbortController();
    const leave = () => call.abort(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    onLeave?.(() => call.abort(abortOf("The client disconnected")));
    this.#calls.add(call);
    return {
      /** Aborted when the client leaves, or the proxy stops. */
      signal: call.signal,
      /** Ends the watch; to be called once, when it is recorded. */
      recorded: () => {
        this.#calls.delete(call);
        signal.removeEventListener("abort", leave);
      },
    };
  }

  /** Adds a record that waits for its count; it must not reject. */
  waitFor(record: Promise<void>): void {
    this.#records.add(record);
    void record.finally(() => this.#records.delete(record));
  }

  /** Resolves when the records that wait now are made. */
  async counted(): Promise<void> {
    await Promise.all(this.#records);
  }

  /**
   * Ends every request as if its client had left, since what is cut off was billed as far as it came, and waits until
   * all are recorded, at most `limitMs` milliseconds.
   */
  async cutOff(limitMs: number): Promise<void> {
    const reason = abortOf("The proxy stops");
    for (const call of this.#calls) call.abort(reason);
    let isOver = false;
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      isOver = true;
      limit.resolve();
    }, limitMs);
    const ended = async () => {
      // A call that was cut off ends some turns of the event loop later, and waits for its count only then.
      while (!isOver && this.#calls.size + this.#records.size > 0) {
        await Promise.allSettled(this.#records);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    await Promise.race([ended(), limit.promise]);
    clearTimeout(timer);
  }
}

function abortOf(reason: string): DOMException {
  return new DOMException(reason, "AbortError");
}
