/** Answers the model's retrievals inside the proxy: the client sees one response without them. @module */
import { concat } from "../bytes/concat.ts";
import { ServiceError } from "../core/errors.ts";
import {
  type AnsweredRetrieval,
  CANNOT_CONTINUE,
  type ProviderError,
  RETRIEVAL_TOOL,
  type RetrievalAnswer,
  type RetrievalCall,
  type RetrievalExchange,
  type RetrievalFormat,
  SEARCH_TOOL,
} from "../core/retrieval.ts";
import type { ChunkReader, Reply } from "../core/upstream.ts";
import { dropBody, readerOf } from "../upstream/chunk_reader.ts";
import { decodedReply, isDecodable } from "./decoded_response.ts";
import { withoutLength } from "./edited_stream.ts";
import { RefusedRound } from "./refused_round.ts";
import { readWhole, type WholeBody } from "./response_chunks.ts";

/** Times that one response is continued; once more where a search came last. */
const MAX_ROUNDS = 3;
/** Longest JSON response that is looked into, in bytes. A longer one is relayed as it is. */
const DOCUMENT_LIMIT = 64 * 1024 * 1024;

/** How a continuation is sent. */
export interface ContinueOptions {
  /** Set `tool_choice` so that the model must answer without tools. */
  readonly forbidTools: boolean;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

/** What is found for a call. */
export type Found = Omit<RetrievalAnswer, "call">;

/** What answering the retrievals of one request needs. */
export interface RetrievalSession {
  /** Of the request's format. */
  readonly retrieval: RetrievalFormat;
  /** Whether the client asked for an event stream. */
  readonly streaming: boolean;
  /** Whether `tool_choice` is `auto` or absent. */
  readonly toolChoiceAuto: boolean;
  /** Whether the client asked for a usage event, in formats where it must. */
  readonly includeUsage: boolean;
  /** Whether the proxy asked for it, and the client must not see it. */
  readonly hidesUsage?: boolean;
  /** Whether searches for tools are the proxy's to answer. */
  readonly findsTools?: boolean;
  /** Elements in the client's conversation array; 1 for a conversation given as one string. */
  readonly conversationLength: number;
  /** {@linkcode RetrievalFormat.turnContext} of the request. */
  readonly context?: string;
  /** Finds what is asked for; says so when there is no such original or tool. */
  lookup(wanted: RetrievalCall["wanted"]): Promise<Found>;
  /**
   * Sends the body that was sent last again, with `elements` appended to its conversation. Trying
   * again what the provider cannot take just now is done in here: the client cannot.
   *
   * @param elements JSON values separated by commas, without a comma at the ends.
   */
  continueWith(
    elements: Uint8Array,
    options: ContinueOptions,
  ): Promise<Reply>;
  /** Called when a response with retrievals ends well; resolves once its records, if any, are durable. */
  remember(records: readonly AnsweredRetrieval[]): Promise<void>;
  /** Notes that `seen`, the id that the client has, stands for `last`; awaited like `remember`. */
  onResponseId?(seen: string, last: string): Promise<void> | void;
  /** Told of what ended a response with an error, and of records that could not be kept. */
  onFailure?(error: unknown): void;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  /** Calls `callback` every ten seconds until the returned function is called. */
  everyTenSeconds(callback: () => void): () => void;
}

/**
 * Relays `reply`, answering the retrievals in it.
 *
 * An event stream is relayed while it arrives, byte for byte up to a retrieval. A JSON document is
 * read whole first; without a retrieval its bytes are relayed as they came. What is neither, or not a
 * 200, is returned as it is; what is content-encoded is decoded first, since it may hold a retrieval.
 * A retrieval that cannot be answered ends the stream with the family's error event, or gives a 502. What the
 * provider says where it refuses a further round is in that event; for a document its reply is the client's.
 */
export async function answerRetrievals(
  reply: Reply,
  session: RetrievalSession,
): Promise<Reply> {
  const kind = kindOf(reply, session.streaming);
  if (kind === undefined || reply.body === null) return reply;
  const decoded = decodedReply(reply);
  const rounds = new Rounds(session, kind);
  if (kind === "json") return await answerDocument(decoded, rounds);
  const body = new AnsweredStream(readerOf(decoded.body!), rounds);
  return { ...decoded, headers: withoutLength(decoded.headers), body };
}

type Kind = "event_stream" | "json";

function kindOf(reply: Reply, streaming: boolean): Kind | undefined {
  const { status, headers } = reply;
  if (status !== 200 || !isDecodable(reply)) return undefined;
  const type = headers.get("content-type")?.toLowerCase();
  if (type === undefined) return streaming ? "event_stream" : undefined;
  if (type.includes("event-stream")) return "event_stream";
  return type.includes("json") ? "json" : undefined;
}

/** One exchange with the model, round by round. */
class Rounds {
  #exchange: RetrievalExchange | undefined;
  readonly session: RetrievalSession;
  readonly #kind: Kind;
  #continued = 0;
  #isLast = false;
  #answered = false;

  constructor(session: RetrievalSession, kind: Kind) {
    this.session = session;
    this.#kind = kind;
  }

  /** What follows the rounds; made when it is needed, since most documents are handed on as they came. */
  get exchange(): RetrievalExchange {
    if (this.#exchange !== undefined) return this.#exchange;
    const { retrieval, conversationLength, context } = this.session;
    const { includeUsage, hidesUsage = false, findsTools = false } =
      this.session;
    return this.#exchange = retrieval.exchange({
      streaming: this.#kind === "event_stream",
      conversationLength,
      includeUsage,
      hidesUsage,
      findsTools,
      ...context === undefined ? {} : { context },
    });
  }

  /** Ends the round whose bytes were all pushed. */
  end(): ReturnType<RetrievalExchange["endRound"]> {
    return this.exchange.endRound(this.#isLast);
  }

  /**
   * Answers `calls` and goes on.
   *
   * @returns The body of the next round, decoded.
   * @throws {ServiceError} If the provider answers otherwise.
   */
  async next(
    calls: readonly RetrievalCall[],
    signal: AbortSignal,
  ): Promise<NonNullable<Reply["body"]>> {
    const { exchange, session } = this;
    const elements = exchange.continuation(await this.#answers(calls));
    this.#continued++;
    // What was found last is to be used, if the model does not go on searching.
    const hasFound = calls.some(({ wanted }) => "tools" in wanted);
    const isOver = this.#continued > MAX_ROUNDS;
    this.#isLast = isOver || this.#continued === MAX_ROUNDS && !hasFound;
    // Whoever must call a tool, and only ever searches, would get no answer at all.
    const forbidTools = isOver || this.#isLast && session.toolChoiceAuto;
    const reply = await session.continueWith(elements, { forbidTools, signal });
    if (
      reply.body !== null && kindOf(reply, session.streaming) === this.#kind
    ) {
      return decodedReply(reply).body!;
    }
    if (reply.status >= 400) throw new RefusedRound(reply);
    await dropBody(reply);
    throw new ServiceError(
      "provider_error",
      `${CANNOT_CONTINUE}: the provider answered with status ${reply.status}`,
    );
  }

  /** Ends the exchange: the client's last bytes, once what was answered is durable. */
  async finish(calls: readonly RetrievalCall[]): Promise<Uint8Array> {
    const answers = await this.#answers(calls);
    const { bytes, records, responseId } = this.exchange.finish(answers);
    try {
      if (this.#answered) await this.session.remember(records);
      if (responseId) {
        await this.session.onResponseId?.(responseId.seen, responseId.last);
      }
    } catch (error) {
      // The answer is whole: without the record the next request costs more, but it is not wrong.
      this.session.onFailure?.(error);
    }
    return bytes;
  }

  #answers(
    calls: readonly RetrievalCall[],
  ): Promise<readonly RetrievalAnswer[]> {
    this.#answered ||= calls.length > 0;
    return Promise.all(calls.map(async (call) => ({
      call,
      ...await this.session.lookup(call.wanted),
    })));
  }

  /** The family's error for what broke the response; `said` is that of the provider. */
  failure(error: unknown, said?: ProviderError): Uint8Array {
    this.session.onFailure?.(error);
    const message = error instanceof ServiceError
      ? error.message
      : `${CANNOT_CONTINUE}: the provider could not be read`;
    return this.exchange.failure(message, said);
  }
}

/** The client's event stream: rounds are read, answered and continued as it asks for chunks. */
class AnsweredStream implements ChunkReader {
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

  constructor(first: ChunkReader, rounds: Rounds) {
    this.#reader = first;
    this.#rounds = rounds;
  }

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

async function answerDocument(reply: Reply, rounds: Rounds): Promise<Reply> {
  const { signal } = rounds.session;
  const { bytes, rest } = await readDocument(reply.body!, signal);
  if (rest !== undefined) return { ...reply, body: rest };
  if (!mentionsTool(bytes)) return { ...reply, body: bytes };
  try {
    const body = concat(await documentParts(bytes, rounds));
    return rounds.exchange.touched
      ? { ...reply, headers: withoutLength(reply.headers), body }
      : { ...reply, body };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof RefusedRound) {
      rounds.session.onFailure?.(error);
      return error.reply;
    }
    const headers = new Headers({ "content-type": "application/json" });
    const body = rounds.failure(error);
    return { status: 502, statusText: "", headers, body };
  }
}

/** What the client gets of a document and of those that continue it. */
async function documentParts(
  first: Uint8Array,
  rounds: Rounds,
): Promise<readonly Uint8Array[]> {
  const { signal } = rounds.session;
  const parts: Uint8Array[] = [];
  for (let document = first;;) {
    parts.push(rounds.exchange.push(document));
    const { calls, continues, bytes } = rounds.end();
    parts.push(bytes);
    if (!continues) return [...parts, await rounds.finish(calls)];
    const body = await rounds.next(calls, signal);
    document = await furtherDocument(body, signal);
  }
}

async function furtherDocument(
  body: NonNullable<Reply["body"]>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { bytes, rest } = await readWhole(body, DOCUMENT_LIMIT, signal);
  if (rest === undefined) return bytes;
  await rest.cancel(undefined);
  throw new ServiceError(
    "provider_error",
    `${CANNOT_CONTINUE}: the response is longer than ${DOCUMENT_LIMIT} bytes`,
  );
}

/** A document is whole or nothing: one that breaks off gives a 502 with a reason, as an upstream that cannot be reached. */
async function readDocument(
  body: NonNullable<Reply["body"]>,
  signal: AbortSignal,
): Promise<WholeBody> {
  try {
    return await readWhole(body, DOCUMENT_LIMIT, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ServiceError(
      "connection_error",
      "The upstream's response broke off before its end",
    );
  }
}

/** One of them is in each call of a tool of ours, in every format. */
const OWN_CALLS = [RETRIEVAL_TOOL, SEARCH_TOOL, "tool_search_call"];

/** Whether a call of our tool can be in a document: most have none and need no closer look. */
function mentionsTool(bytes: Uint8Array): boolean {
  const text = latin1.decode(bytes);
  return OWN_CALLS.some((name) => text.includes(name));
}
const latin1 = new TextDecoder("latin1");
