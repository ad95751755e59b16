/** Relaying a response: forward first, look second. @module */
import type { Usage, UsageTap } from "../core/usage.ts";
import {
  type ChunkReader,
  chunkReader,
  streamOf,
} from "../upstream/chunk_reader.ts";
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
  const out = observed ? streamOf(new Relay(body, options)) : body;
  return new Response(out, {
    status,
    statusText,
    headers,
  });
}

/** One body on its way. */
class Relay implements ChunkReader {
  readonly #reader: ChunkReader;
  readonly #options: RelayOptions;
  /** Handed to the client, not looked at yet. */
  #unseen: Uint8Array | undefined;
  #ended = false;
  #bytes = 0;

  constructor(body: ReadableStream<Uint8Array>, options: RelayOptions) {
    this.#reader = chunkReader(body);
    this.#options = options;
    options.signal?.addEventListener("abort", this.#onSignal, { once: true });
    if (options.signal?.aborted) this.#onSignal();
  }

  readonly #onSignal = () => void this.cancel(this.#options.signal?.reason);

  async read(): Promise<Uint8Array | undefined> {
    const chunk = await this.#next();
    // The client left meanwhile; a cut response must not look like a whole one.
    if (this.#ended) throw this.#options.signal?.reason;
    if (chunk === undefined) this.#end({ aborted: false });
    else this.#bytes += chunk.length;
    this.#unseen = chunk;
    return chunk;
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const next = this.#reader.read();
      // The client has the previous chunk and waits for this one: the time to look.
      this.#look();
      return await next;
    } catch (error) {
      const aborted = this.#options.signal?.aborted === true;
      this.#end(aborted ? { aborted } : { aborted, error });
      throw error;
    }
  }

  async cancel(reason: unknown): Promise<void> {
    // An upstream that broke in the meantime has nothing left to cancel.
    const cancelled = this.#reader.cancel(reason).catch(() => {});
    this.#end({ aborted: true });
    await cancelled;
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
