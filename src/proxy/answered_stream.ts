/** A client's event stream while retrievals in it are answered. @module */
import { RefusedRound } from "./response_chunks.ts";
import { isDecodable } from "./content_encoding.ts";
import type { StreamEdit } from "../core/format.ts";
import type { ProviderError, RetrievalCall } from "../core/retrieval.ts";
import type { ChunkReader, Reply } from "../core/upstream.ts";
import { readerOf } from "../upstream/chunk_reader.ts";
import type { RetrievalSession, Rounds } from "./retrieval_rounds.ts";

/** Rounds are read, answered and continued as the client asks for chunks. */
export class AnsweredStream implements ChunkReader {
  readonly #rounds: Rounds;
  /** Body of the current round. */
  #reader: ChunkReader;
  /** Chunks for the client. */
  readonly #ready: Uint8Array[] = [];
  /** Calls that are to be answered before the next round. */
  #calls: readonly RetrievalCall[] | undefined;
  /** The step under way: pings may be sent meanwhile. */
  #step: Promise<void> | undefined;
  /** Between rounds. */
  #pings: Pings | undefined;
  #end: { readonly error?: unknown } | undefined;
  /** Aborted when the client wants no more. */
  readonly #left = new AbortController();

  /** @param first Body of the first round, decoded. */
  constructor(first: ChunkReader, rounds: Rounds) {
    this.#reader = first;
    this.#rounds = rounds;
  }

  /** The next chunk for the client; `undefined` behind the last one. Throws what broke a stream that is untouched. */
  async read(): Promise<Uint8Array | undefined> {
    while (this.#ready.length === 0) {
      if (this.#end) {
        if ("error" in this.#end) throw this.#end.error;
        return undefined;
      }
      this.#step ??= this.#advance();
      if (this.#pings === undefined) await this.#step;
      else if (await this.#pings.before(this.#step)) {
        return this.#rounds.exchange.ping;
      }
    }
    return this.#ready.shift();
  }

  /** Gives up the rounds: the client wants no more. */
  cancel(reason: unknown): Promise<void> {
    this.#end ??= { error: reason };
    this.#left.abort(reason);
    this.#stopPings();
    return this.#reader.cancel(reason);
  }

  /** One chunk of a round, the end of one, or the start of the next. Never rejects. */
  async #advance(): Promise<void> {
    try {
      await this.#go();
    } catch (error) {
      await this.#fail(error);
    }
    this.#step = undefined;
  }

  async #go(): Promise<void> {
    const { exchange, session } = this.#rounds;
    const { signal: left } = this.#left;
    if (this.#calls) {
      const calls = this.#calls;
      this.#calls = undefined;
      const signal = AbortSignal.any([session.signal, left]);
      this.#reader = readerOf(await this.#rounds.next(calls, signal));
      if (left.aborted) await this.#reader.cancel(left.reason);
    }
    const chunk = await this.#reader.read();
    // A body that was cancelled looks like one that has ended.
    left.throwIfAborted();
    this.#stopPings();
    if (chunk !== undefined) return this.#give(exchange.push(chunk));
    const { calls, continues, bytes } = this.#rounds.end();
    this.#give(bytes);
    if (continues) {
      this.#calls = calls;
      this.#pings = new Pings(session);
      return;
    }
    this.#give(await this.#rounds.finish(calls));
    this.#end ??= {};
  }

  /** Before our first edit an interrupted stream is the client's to see, as without a proxy. */
  async #fail(error: unknown): Promise<void> {
    const { exchange, session } = this.#rounds;
    const said = await this.#saidIn(error);
    this.#stopPings();
    if (this.#end) return;
    if (session.signal.aborted) this.#end = { error };
    else if (exchange.touched) {
      this.#give(this.#rounds.failure(error, said));
      this.#end = {};
    } else {
      this.#give(exchange.rest());
      this.#end = { error };
    }
  }

  /** The provider's own error; `undefined` where it gave none that can be read. */
  async #saidIn(error: unknown): Promise<ProviderError | undefined> {
    if (!(error instanceof RefusedRound)) return undefined;
    const { signal } = this.#rounds.session;
    const either = AbortSignal.any([signal, this.#left.signal]);
    // Its status is known: a body that breaks off says nothing more.
    return await error.said(either).catch(() => undefined);
  }

  #give(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#ready.push(bytes);
  }

  #stopPings(): void {
    this.#pings?.stop();
    this.#pings = undefined;
  }
}

/** Says every ten seconds that the client should hear something. */
class Pings {
  #due = Promise.withResolvers<true>();
  readonly stop: () => void;

  constructor({ everyTenSeconds }: Pick<RetrievalSession, "everyTenSeconds">) {
    this.stop = everyTenSeconds(() => this.#due.resolve(true));
  }

  /** Whether one is due before `step` is done. */
  async before(step: Promise<void>): Promise<boolean> {
    const isDue = await Promise.race([step, this.#due.promise]) === true;
    if (isDue) this.#due = Promise.withResolvers();
    return isDue;
  }
}

/** Whether a reply to a request for a stream is one whose events can be read, once it is decoded. */
export function isEditable(reply: Reply): boolean {
  const { status, body, headers } = reply;
  const type = headers.get("content-type") ?? "text/event-stream";
  return status < 300 && body !== null &&
    /^\s*text\/event-stream\b/i.test(type) && isDecodable(reply);
}

/** Whether a reply is a document that can be read, once it is decoded. */
export function isDocument(reply: Reply): boolean {
  const { status, body, headers } = reply;
  const type = headers.get("content-type") ?? "";
  return status < 300 && body !== null &&
    /^\s*application\/json\b/i.test(type) && isDecodable(reply);
}

/**
 * The reply with `edit` applied to its stream. Chunks are edited as they are asked for: nothing is read ahead. A
 * stream that breaks off gives what was held back before its error.
 *
 * @param reply Without content encoding; one without a body is given back.
 */
export function editedStream(reply: Reply, edit: StreamEdit): Reply {
  if (reply.body === null) return reply;
  const body = new Edited(readerOf(reply.body), edit);
  return { ...reply, headers: withoutLength(reply.headers), body };
}

/** The fields of a reply whose body is replaced by one of another length. */
export function withoutLength(original: Headers): Headers {
  const headers = new Headers(original);
  headers.delete("content-length");
  return headers;
}

class Edited implements ChunkReader {
  readonly #reader: ChunkReader;
  readonly #edit: StreamEdit;
  #isEnded = false;
  #broken: { readonly error: unknown } | undefined;

  constructor(reader: ChunkReader, edit: StreamEdit) {
    this.#reader = reader;
    this.#edit = edit;
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#broken) throw this.#broken.error;
    while (!this.#isEnded) {
      const shown = await this.#next();
      if (shown.length > 0) return shown;
    }
    return undefined;
  }

  async #next(): Promise<Uint8Array> {
    let chunk: Uint8Array | undefined;
    try {
      chunk = await this.#reader.read();
    } catch (error) {
      const rest = this.#edit.rest();
      if (rest.length === 0) throw error;
      this.#broken = { error };
      return rest;
    }
    if (chunk !== undefined) return this.#edit.push(chunk);
    this.#isEnded = true;
    return this.#edit.end();
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }
}
