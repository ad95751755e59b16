/** Relaying a response: forward first, look second. @module */
import type { Usage, UsageTap } from "../core/usage.ts";
import { responseHeaders } from "../upstream/header_policy.ts";

/** How a relayed response ended. */
export interface RelayOutcome {
  /** Whether the client left before the end. */
  readonly aborted: boolean;
  /** What broke the upstream's side; absent when nothing did. */
  readonly error?: unknown;
  /** Bytes of the body that were handed on. */
  readonly bytes: number;
  /** What the tap saw; empty without one. */
  readonly usage: Usage;
}

/** What happens beside the relay. */
export interface RelayOptions {
  /** Sees every chunk after it was handed to the client. */
  readonly tap?: UsageTap;
  /** Fields to set beside the upstream's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called exactly once, after the last byte, an abort or a failure. Never throws. */
  readonly onEnd?: (outcome: RelayOutcome) => void;
  /** The client's signal: ends the upstream also when the response is never read. */
  readonly signal?: AbortSignal;
}

/**
 * The upstream's response for the client: same status and bytes, end-to-end fields.
 *
 * Chunks are passed on as they arrive, one at a time and only when the client takes
 * them. With nothing to observe the body itself is handed on.
 */
export function relay(upstream: Response, options: RelayOptions): Response {
  const { status, statusText } = upstream;
  const headers = responseHeaders(upstream.headers);
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    headers.set(name, value);
  }
  const { body } = upstream;
  if (body === null) {
    options.onEnd?.({
      aborted: false,
      bytes: 0,
      usage: options.tap?.finish() ?? {},
    });
    return new Response(null, { status, statusText, headers });
  }
  const observed = options.onEnd || options.tap;
  return new Response(observed ? new Relay(body, options).out : body, {
    status,
    statusText,
    headers,
  });
}

/** One body on its way. */
class Relay {
  readonly out: ReadableStream<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #options: RelayOptions;
  /** Handed to the client, not looked at yet. */
  #unseen: Uint8Array | undefined;
  #ended = false;
  #bytes = 0;

  constructor(
    body: ReadableStream<Uint8Array>,
    options: RelayOptions,
  ) {
    this.#reader = body.getReader();
    this.#options = options;
    this.out = new ReadableStream<Uint8Array>({
      pull: (controller) => this.#pull(controller),
      cancel: (reason) => this.#abort(reason),
    }, { highWaterMark: 0 });
    options.signal?.addEventListener("abort", this.#onSignal, { once: true });
    if (options.signal?.aborted) this.#onSignal();
  }

  readonly #onSignal = () => void this.#abort(this.#options.signal?.reason);

  async #pull(
    controller: ReadableStreamDefaultController<Uint8Array>,
  ): Promise<void> {
    try {
      const next = this.#reader.read();
      // The client has the previous chunk and waits for this one: the time to look.
      this.#look();
      const { done, value } = await next;
      // The client left meanwhile; a cut response must not look like a whole one.
      if (this.#ended) return controller.error(this.#options.signal?.reason);
      if (!done) return this.#forward(controller, value);
      controller.close();
      this.#end({ aborted: false });
    } catch (error) {
      this.#broken(controller, error);
    }
  }

  #forward(
    controller: ReadableStreamDefaultController<Uint8Array>,
    chunk: Uint8Array,
  ): void {
    this.#bytes += chunk.length;
    controller.enqueue(chunk);
    this.#unseen = chunk;
  }

  #broken(
    controller: ReadableStreamDefaultController<Uint8Array>,
    error: unknown,
  ): void {
    const aborted = this.#options.signal?.aborted === true;
    controller.error(error);
    this.#end(aborted ? { aborted } : { aborted, error });
  }

  async #abort(reason: unknown): Promise<void> {
    const cancelled = this.#cancel(reason);
    this.#end({ aborted: true });
    await cancelled;
  }

  /** An upstream that broke in the meantime has nothing left to cancel. */
  #cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason).catch(() => {});
  }

  #look(): void {
    const chunk = this.#unseen;
    this.#unseen = undefined;
    if (chunk !== undefined) this.#options.tap?.push(chunk);
  }

  #end(outcome: Omit<RelayOutcome, "usage" | "bytes">): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#options.signal?.removeEventListener("abort", this.#onSignal);
    this.#look();
    const usage = this.#options.tap?.finish() ?? {};
    this.#options.onEnd?.({ ...outcome, bytes: this.#bytes, usage });
  }
}
