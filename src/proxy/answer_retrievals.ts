/** Answers the model's retrievals inside the proxy: the client sees one response without them. @module */
import { ServiceError } from "../core/errors.ts";
import {
  type AnsweredRetrieval,
  RETRIEVAL_TOOL,
  type RetrievalAnswer,
  type RetrievalArguments,
  type RetrievalCall,
  type RetrievalExchange,
  type RetrievalFormat,
} from "../core/retrieval.ts";
import { Outlet } from "./outlet.ts";
import { decodedResponse, isDecodable } from "./decoded_response.ts";
import { streamOf } from "../upstream/chunk_reader.ts";
import { chunksOf, readWhole, type WholeBody } from "./response_chunks.ts";

/** Times that one response is continued. */
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
  /** Elements in the client's conversation array; 1 for a conversation given as one string. */
  readonly conversationLength: number;
  /** {@linkcode RetrievalFormat.turnContext} of the request. */
  readonly context?: string;
  /** Text of the tool result for what is asked for; says so when there is no such original. */
  lookup(wanted: RetrievalArguments): Promise<string>;
  /**
   * Sends the body that was sent last again, with `elements` appended to its conversation. Trying
   * again what the provider cannot take just now is done in here: the client cannot.
   *
   * @param elements JSON values separated by commas, without a comma at the ends.
   */
  continueWith(
    elements: Uint8Array,
    options: ContinueOptions,
  ): Promise<Response>;
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
 * Relays `response`, answering the retrievals in it.
 *
 * An event stream is relayed while it arrives, byte for byte up to a retrieval. A JSON response is
 * read whole first; without a retrieval its bytes are relayed as they came. What is neither, or not a
 * 200, is returned as it is; what is content-encoded is decoded first, since it may hold a retrieval.
 * A retrieval that cannot be answered ends the stream with the family's error event, or gives a 502.
 */
export async function answerRetrievals(
  response: Response,
  session: RetrievalSession,
): Promise<Response> {
  const kind = kindOf(response, session.streaming);
  if (kind === undefined || response.body === null) return response;
  const { retrieval, conversationLength, context } = session;
  const { includeUsage, hidesUsage = false } = session;
  const exchange = retrieval.exchange({
    streaming: kind === "event_stream",
    conversationLength,
    includeUsage,
    hidesUsage,
    ...context === undefined ? {} : { context },
  });
  const follower = new Follower(exchange, session);
  const decoded = decodedResponse(response);
  return kind === "event_stream"
    ? answerStream(decoded, decoded.body!, follower)
    : await answerDocument(decoded, decoded.body!, follower);
}

type Kind = "event_stream" | "json";

function kindOf(response: Response, streaming: boolean): Kind | undefined {
  const { status, headers } = response;
  if (status !== 200 || !isDecodable(response)) return undefined;
  const type = headers.get("content-type")?.toLowerCase();
  if (type === undefined) return streaming ? "event_stream" : undefined;
  if (type.includes("event-stream")) return "event_stream";
  return type.includes("json") ? "json" : undefined;
}

/** Takes bytes for the client; resolves when more may come. */
type Emit = (bytes: Uint8Array) => Promise<void>;
/** Reads a body as the exchange takes it. */
type Read = (
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
) => AsyncIterable<Uint8Array>;

/** Drives one exchange through its rounds. */
class Follower {
  readonly exchange: RetrievalExchange;
  readonly session: RetrievalSession;
  #answered = false;

  constructor(exchange: RetrievalExchange, session: RetrievalSession) {
    this.exchange = exchange;
    this.session = session;
  }

  /**
   * Follows the response to its end.
   * @throws Whatever broke it.
   */
  async run(
    first: AsyncIterable<Uint8Array>,
    kind: Kind,
    read: Read,
    { emit, signal }: { emit: Emit; signal: AbortSignal },
  ): Promise<void> {
    const { exchange, session } = this;
    let chunks = first;
    let stopPings = () => {};
    try {
      for (let continued = 0;; continued++) {
        for await (const chunk of chunks) {
          stopPings();
          await emit(exchange.push(chunk));
        }
        const isLast = continued === MAX_ROUNDS;
        const { calls, continues, bytes } = exchange.endRound(isLast);
        await emit(bytes);
        if (!continues) return await this.#finish(calls, emit);
        stopPings = session.everyTenSeconds(() =>
          // A client that left is noticed by the next write.
          void emit(exchange.ping).catch(() => {})
        );
        const elements = exchange.continuation(await this.#answers(calls));
        const forbidTools = continued === MAX_ROUNDS - 1 &&
          session.toolChoiceAuto;
        const options = { forbidTools, signal };
        const next = await session.continueWith(elements, options);
        chunks = read(await bodyOf(next, kind, session.streaming), signal);
      }
    } finally {
      stopPings();
    }
  }

  async #finish(calls: readonly RetrievalCall[], emit: Emit): Promise<void> {
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
    await emit(bytes);
  }

  #answers(
    calls: readonly RetrievalCall[],
  ): Promise<readonly RetrievalAnswer[]> {
    this.#answered ||= calls.length > 0;
    return Promise.all(calls.map(async (call) => ({
      call,
      content: await this.session.lookup(call.wanted),
    })));
  }

  /** The family's error for what broke the response. */
  failure(error: unknown): Uint8Array {
    this.session.onFailure?.(error);
    return this.exchange.failure(
      error instanceof ServiceError
        ? error.message
        : "Cannot continue after a retrieval: the provider could not be read",
    );
  }
}

async function bodyOf(
  response: Response,
  kind: Kind,
  streaming: boolean,
): Promise<ReadableStream<Uint8Array>> {
  const { body, status } = response;
  if (body !== null && kindOf(response, streaming) === kind) {
    return decodedResponse(response).body!;
  }
  await body?.cancel();
  throw new ServiceError(
    "provider_error",
    `Cannot continue after a retrieval: the provider answered with status ${status}`,
  );
}

function answerStream(
  response: Response,
  body: ReadableStream<Uint8Array>,
  follower: Follower,
): Response {
  const outlet = new Outlet();
  const signal = AbortSignal.any([follower.session.signal, outlet.left]);
  const emit: Emit = async (bytes) => {
    if (bytes.length > 0) await outlet.write(bytes);
  };
  void relay();
  return edited(response, outlet.stream);

  async function relay(): Promise<void> {
    try {
      const first = chunksOf(body, signal);
      await follower.run(first, "event_stream", chunksOf, { emit, signal });
    } catch (error) {
      const { exchange } = follower;
      if (signal.aborted || !exchange.touched) {
        // Before our first edit an interrupted stream is the client's to see, as without a proxy.
        if (!signal.aborted) await emit(exchange.rest()).catch(() => {});
        return outlet.abort(error);
      }
      await emit(follower.failure(error)).catch(() => {});
    }
    outlet.close();
  }
}

async function answerDocument(
  response: Response,
  body: ReadableStream<Uint8Array>,
  follower: Follower,
): Promise<Response> {
  const { signal } = follower.session;
  const { bytes, rest } = await readDocument(body, signal);
  if (rest !== undefined) return new Response(rest, response);
  if (!mentionsTool(bytes)) return new Response(streamed(bytes), response);
  const out: Uint8Array[] = [];
  const emit: Emit = (part) => {
    if (part.length > 0) out.push(part);
    return Promise.resolve();
  };
  try {
    await follower.run(only(bytes), "json", documentOf, { emit, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    const headers = { "content-type": "application/json" };
    return new Response(follower.failure(error) as BodyInit, {
      status: 502,
      headers,
    });
  }
  const final = new Blob(out as BlobPart[]).stream();
  return follower.exchange.touched
    ? edited(response, final)
    : new Response(final, response);
}

/** A document is whole or nothing: one that breaks off gives a 502 with a reason, as an upstream that cannot be reached. */
async function readDocument(
  body: ReadableStream<Uint8Array>,
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

/** Whether a call of our tool can be in a document: most have none and need no closer look. */
function mentionsTool(bytes: Uint8Array): boolean {
  return latin1.decode(bytes).includes(RETRIEVAL_TOOL);
}
const latin1 = new TextDecoder("latin1");

/** Read by {@linkcode chunkReader} without a stream in between. */
function streamed(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let left: Uint8Array | undefined = bytes.length > 0 ? bytes : undefined;
  return streamOf({
    read() {
      const chunk = left;
      left = undefined;
      return Promise.resolve(chunk);
    },
    cancel() {
      left = undefined;
      return Promise.resolve();
    },
  });
}

/** The response with another body, whose length is not known beforehand. */
function edited(
  { status, statusText, headers: original }: Response,
  body: ReadableStream<Uint8Array>,
): Response {
  const headers = new Headers(original);
  headers.delete("content-length");
  return new Response(body as BodyInit, { status, statusText, headers });
}

async function* only(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

async function* documentOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const { bytes, rest } = await readWhole(body, DOCUMENT_LIMIT, signal);
  if (rest === undefined) return yield bytes;
  await rest.cancel();
  throw new ServiceError(
    "provider_error",
    `Cannot continue after a retrieval: the response is longer than ${DOCUMENT_LIMIT} bytes`,
  );
}
