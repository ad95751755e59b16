/** Follows a response that is an event stream: what is the same in every format. @module */
import { concat } from "../bytes/concat.ts";
import {
  type ExchangeEnd,
  notRebuilt,
  type ProviderError,
  type RetrievalAnswer,
  type RetrievalExchange,
  type RoundEnd,
} from "../core/retrieval.ts";
import {
  asItCame,
  EventSplitter,
  NOTHING,
  type RawEvent,
  RoundsUsage,
  type UsageMembers,
} from "../sse/splicer.ts";
import type { RoundLog } from "./whole_response.ts";

const utf8 = new TextEncoder();
const COMMENT = utf8.encode(": ping\n\n");

/** What has become of the client's stream. */
export class ClientStream {
  /** Whether it differs from the provider's. */
  touched = false;
  /** Whether the provider ended it with an error. */
  failed = false;
  /** Whether all events so far could be read: without that no round is continued. */
  isWhole = true;
  /** Events that end the round, held back. */
  tail: RawEvent[] = [];
  #next = 0;

  /** The index of something new in it. */
  nextIndex(): number {
    return this.#next++;
  }

  /** The same for what the provider counts as `index`: that itself, until the first retrieval. */
  shownIndex(index: unknown): unknown {
    if (this.touched) return this.nextIndex();
    if (typeof index === "number") this.#next = index + 1;
    return index;
  }

  /** Holds an event of the round's end back where the stream differs, or is about to. */
  hold(event: RawEvent, isEdited = this.touched): Uint8Array {
    if (!isEdited) return event.raw;
    this.tail.push(event);
    return NOTHING;
  }
}

/** What a format found in the stream of a round. */
export interface ReadStream extends Omit<RoundEnd, "bytes"> {
  /** Its usage: JSON. */
  readonly usage: string | undefined;
  /** What the client gets before what follows: of the events that were held back, if another round does, or of our own. */
  readonly lastWords?: readonly Uint8Array[];
}

/** A format's reader of one round. */
export interface StreamRound {
  /**
   * Takes an event; returns what the client sees of it.
   * @throws {SyntaxError} If it cannot be read.
   */
  read(event: RawEvent): Uint8Array;
  /** Where not every event is read, or goes on at once: takes one, and `read`s it; returns what the client gets now. */
  relay?(event: RawEvent, read: StreamRound["read"]): Uint8Array;
  /** Gives what such a round kept waiting, as the provider sent it. */
  release?(): readonly Uint8Array[];
  /** Notes the round, after which none may follow with `isLast`; returns in words why it cannot be rebuilt. */
  end(isLast: boolean): ReadStream | string;
  /** An event that was held back, as the client gets it. `usage`: that of all rounds, if it differs from the last one's. */
  final(event: RawEvent, usage: string | undefined): Uint8Array;
  /** Whether the response failed, so that nothing is remembered of it; default false. */
  readonly isFailure?: boolean;
}

/** A format's event streams. */
export interface StreamShape {
  /** The rounds, as {@linkcode StreamRound.end} notes them. */
  readonly log: RoundLog;
  /** Members of `usage` when rounds are joined. */
  readonly usage: UsageMembers;
  /** See {@linkcode RetrievalExchange.ping}; default: a comment, which clients skip. */
  readonly ping?: Uint8Array;
  /** Begins a round. */
  round(client: ClientStream): StreamRound;
  /** See {@linkcode RetrievalExchange.failure}. */
  failure(message: string, said?: ProviderError): Uint8Array;
}

/** Follows a streamed response. Only the events of a retrieval and of the response's end are ever held back. */
export class StreamedResponse implements RetrievalExchange {
  /** See {@linkcode RetrievalExchange.ping}. */
  readonly ping: Uint8Array;
  readonly #shape: StreamShape;
  readonly #usage: RoundsUsage;
  readonly #client = new ClientStream();
  #splitter = new EventSplitter();
  #round: StreamRound;

  /** Starts with the first round. */
  constructor(shape: StreamShape) {
    this.ping = shape.ping ?? COMMENT;
    this.#shape = shape;
    this.#usage = new RoundsUsage(shape.usage);
    this.#round = shape.round(this.#client);
  }

  /** See {@linkcode RetrievalExchange.touched}. */
  get touched(): boolean {
    return this.#client.touched;
  }

  /** Whether the proxy, not the provider, ends the client's stream. */
  get #isOurs(): boolean {
    return this.touched && !this.#client.failed;
  }

  /** See {@linkcode RetrievalExchange.push}. */
  push(chunk: Uint8Array): Uint8Array {
    const events = this.#splitter.push(chunk);
    return concat(events.map((event) => this.#take(event)));
  }

  #take(event: RawEvent): Uint8Array {
    const round = this.#round;
    return round.relay
      ? round.relay(event, (event) => this.#read(event))
      : this.#read(event);
  }

  #read(event: RawEvent): Uint8Array {
    try {
      return this.#round.read(event);
    } catch (error) {
      this.#client.isWhole = false;
      return asItCame(event, error, this.touched);
    }
  }

  /** See {@linkcode RetrievalExchange.endRound}. */
  endRound(isLast = false): RoundEnd {
    const round = this.#round;
    const taken = this.#splitter.end().map((event) => this.#take(event));
    const kept = this.touched ? [] : round.release?.() ?? [];
    const bytes = concat([...taken, ...kept]);
    if (!this.#isOurs) return { calls: [], continues: false, bytes };
    const read = round.end(isLast);
    if (typeof read === "string") throw notRebuilt(read);
    const { calls, continues, usage, lastWords = [] } = read;
    this.#usage.add(usage);
    return { calls, continues, bytes: concat([bytes, ...lastWords]) };
  }

  /** See {@linkcode RetrievalExchange.rest}. */
  rest(): Uint8Array {
    const cutOff = this.#splitter.end().map(({ raw }) => raw);
    return concat([...this.#round.release?.() ?? [], ...cutOff]);
  }

  /** See {@linkcode RetrievalExchange.continuation}. */
  continuation(answers: readonly RetrievalAnswer[]): Uint8Array {
    this.#splitter = new EventSplitter();
    this.#round = this.#shape.round(this.#client);
    this.#client.tail = [];
    return utf8.encode(this.#shape.log.answer(answers));
  }

  /** See {@linkcode RetrievalExchange.finish}. */
  finish(answers: readonly RetrievalAnswer[]): ExchangeEnd {
    const none = { bytes: NOTHING, records: [], responseId: undefined };
    if (!this.#isOurs) return none;
    const round = this.#round;
    const usage = this.#usage.joined;
    const tail = this.#client.tail.map((event) => round.final(event, usage));
    const bytes = concat(tail);
    if (round.isFailure) return { ...none, bytes };
    const { log } = this.#shape;
    const { responseId } = log;
    return { bytes, records: log.records(answers), responseId };
  }

  /** See {@linkcode RetrievalExchange.failure}. */
  failure(message: string, said?: ProviderError): Uint8Array {
    return this.#shape.failure(message, said);
  }
}
