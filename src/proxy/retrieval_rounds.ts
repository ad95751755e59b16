/** The rounds of one exchange with a model whose retrievals are answered, and what answering them needs. @module */
import { RefusedRound } from "./response_chunks.ts";
import { ServiceError } from "../core/errors.ts";
import {
  type AnsweredRetrieval,
  CANNOT_CONTINUE,
  type ProviderError,
  type RetrievalAnswer,
  type RetrievalCall,
  type RetrievalExchange,
} from "../core/retrieval.ts";
import type { Reply } from "../core/upstream.ts";
import { dropBody } from "../upstream/chunk_reader.ts";
import { decodedReply, isDecodable } from "./content_encoding.ts";

/** Times that one response is continued; once more where a search came last. */
const MAX_ROUNDS = 3;

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
  /** Whether the client asked for an event stream. */
  readonly streaming: boolean;
  /** Whether `tool_choice` is `auto` or absent. */
  readonly toolChoiceAuto: boolean;
  /** Follows the response, as an event stream or as a document. */
  exchange(streaming: boolean): RetrievalExchange;
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

/** How a response that may hold retrievals is sent. */
export type ResponseKind = "event_stream" | "json";

/** How it is sent; `undefined` for what is handed on as it is. */
export function kindOf(
  reply: Reply,
  streaming: boolean,
): ResponseKind | undefined {
  const { status, headers } = reply;
  if (status !== 200 || !isDecodable(reply)) return undefined;
  const type = headers.get("content-type")?.toLowerCase();
  if (type === undefined) return streaming ? "event_stream" : undefined;
  if (type.includes("event-stream")) return "event_stream";
  return type.includes("json") ? "json" : undefined;
}

/** One exchange with the model, round by round. */
export class Rounds {
  #exchange: RetrievalExchange | undefined;
  /** What answering needs. */
  readonly session: RetrievalSession;
  readonly #kind: ResponseKind;
  #continued = 0;
  #isLast = false;
  #answered = false;

  /** Before the first round; `kind` is that of its reply. */
  constructor(session: RetrievalSession, kind: ResponseKind) {
    this.session = session;
    this.#kind = kind;
  }

  /** What follows the rounds; made when it is needed, since most documents are handed on as they came. */
  get exchange(): RetrievalExchange {
    return this.#exchange ??= this.session.exchange(
      this.#kind === "event_stream",
    );
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

  /** The family's error for what broke the response, which is reported; `said` is that of the provider. */
  failure(error: unknown, said?: ProviderError): Uint8Array {
    this.session.onFailure?.(error);
    const message = error instanceof ServiceError
      ? error.message
      : `${CANNOT_CONTINUE}: the provider could not be read`;
    return this.exchange.failure(message, said);
  }
}
