/** Relaying a response: forward first, look second. @module */
import type { Usage, UsageTap } from "../core/usage.ts";
import type { ChunkReader, Reply } from "../core/upstream.ts";
import { readerOf, streamOf } from "../upstream/chunk_reader.ts";
import { responseHeaders } from "../upstream/header_policy.ts";
import type { ProviderFormat } from "../core/format.ts";
import type { Meter } from "./meter.ts";

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
  /** Sees every chunk after it was handed on. */
  readonly tap?: UsageTap;
  /** Called exactly once, after the last byte, an abort or a failure. Never throws. */
  readonly onEnd?: (outcome: RelayOutcome) => void;
  /** The client's signal: ends the upstream also when the response is never read. */
  readonly signal?: AbortSignal;
}

/** What happens beside a response that goes to the client. */
export interface ResponseOptions extends RelayOptions {
  /** Fields to set beside the upstream's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Settles when the response was sent: a body that is whole is looked at then, else at once. */
  readonly completed?: Promise<void> | undefined;
}

/**
 * The reply, watched while it is read: chunks are handed on as they arrive, one at a time and only when one is asked
 * for. A body that is whole is looked at at once.
 */
export function watchedReply(reply: Reply, options: RelayOptions): Reply {
  const { body } = reply;
  if (body !== null && !(body instanceof Uint8Array)) {
    return { ...reply, body: new Relay(body, options) };
  }
  if (body !== null) options.tap?.push(body);
  options.onEnd?.({
    aborted: false,
    bytes: body?.length ?? 0,
    usage: options.tap?.finish() ?? {},
  });
  return reply;
}

/** The upstream's reply for the client: same status and bytes, end-to-end fields, watched as {@linkcode watchedReply} does. */
export function relay(upstream: Reply, options: ResponseOptions): Response {
  const { status, statusText, body } = upstream;
  const init = { status, statusText };
  let response: Response;
  if (body instanceof Uint8Array && body.length <= ONE_PIECE) {
    const isGone = options.signal?.aborted === true;
    void (options.completed ?? SENT).then(() =>
      endWhole(body, options, isGone)
    );
    response = new Response(body as BodyInit, init);
  } else if (body instanceof Uint8Array) {
    const relay = new Relay(readerOf(body), options);
    response = new Response(streamOf(relay), init);
  } else {
    const watched = watchedReply(upstream, options).body;
    response = new Response(watched && streamOf(readerOf(watched)), init);
  }
  // One by one: the runtime takes twice the time for a list.
  for (const [name, value] of responseHeaders(upstream.headers)) {
    response.headers.append(name, value);
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    response.headers.append(name, value);
  }
  return response;
}

/** Bytes of a body that is handed to the runtime whole; it does not say whether the client has taken all of it. */
const ONE_PIECE = 64 * 1024;

const SENT = Promise.resolve();

function endWhole(
  body: Uint8Array,
  { tap, onEnd }: RelayOptions,
  isGone: boolean,
): void {
  tap?.push(body);
  const usage = tap?.finish() ?? {};
  onEnd?.({ aborted: isGone, bytes: isGone ? 0 : body.length, usage });
}

/** One body on its way. */
class Relay implements ChunkReader {
  readonly #reader: ChunkReader;
  readonly #options: RelayOptions;
  /** Handed to the client, not looked at yet. */
  #unseen: Uint8Array | undefined;
  #ended = false;
  #bytes = 0;

  constructor(body: ChunkReader, options: RelayOptions) {
    this.#reader = body;
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

/** For a response whose usage is observed elsewhere. */
export const NO_USAGE: UsageTap = { push() {}, finish: () => ({}) };

/** Sees the chunks of a response go by. */
type ChunkTap = Pick<UsageTap, "push">;

/** Tells the meter of the first chunk, and shows each to `usage` and to the others in turn. */
export function withTaps(
  meter: Pick<Meter, "answering">,
  usage: UsageTap,
  ...others: readonly (ChunkTap | undefined)[]
): UsageTap {
  const taps = [usage, ...others.filter((tap) => tap !== undefined)];
  return {
    push(chunk) {
      meter.answering();
      for (const tap of taps) tap.push(chunk);
    },
    finish: () => usage.finish(),
  };
}

/** Bytes in which the id of a response stands, if it has one. */
const HEAD_BYTES = 4096;

/**
 * Looks for the id of the response that the client sees.
 *
 * @param onId Told of it at once: a client may continue it.
 */
export function idTap(
  { responseIdIn }: Pick<ProviderFormat, "responseIdIn">,
  onId: (id: string) => void,
): ChunkTap {
  const decoder = new TextDecoder();
  let head = "";
  let isDone = false;
  return {
    push(chunk) {
      if (isDone) return;
      head += decoder.decode(chunk.subarray(0, HEAD_BYTES), { stream: true });
      const id = responseIdIn?.(head);
      if (id !== undefined) onId(id);
      isDone = id !== undefined || head.length >= HEAD_BYTES;
    },
  };
}
