/** Follows a response that is one JSON document: what is the same in every format. @module */
import { objectOf } from "../bytes/json_parts.ts";
import {
  type AnsweredRetrieval,
  type ExchangeEnd,
  notRebuilt,
  type RetrievalAnswer,
  type RetrievalExchange,
  type RoundEnd,
} from "../core/retrieval.ts";
import { NOTHING, RoundsUsage, type UsageMembers } from "../sse/splicer.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What a format found in the document of a round. */
export interface ReadRound extends Omit<RoundEnd, "bytes"> {
  /** Its members, each value as it is written. */
  readonly members: Map<string, string>;
  /** Its id: JSON. */
  readonly id: string | undefined;
  /** Whether it calls the retrieval tool. */
  readonly retrieves: boolean;
}

/** What a format knows of the rounds so far. */
export interface RoundLog {
  /** Answers the last round; returns elements as {@linkcode RetrievalExchange.continuation} does. */
  answer(answers: readonly RetrievalAnswer[]): string;
  /** See {@linkcode ExchangeEnd.records}. */
  records(answers: readonly RetrievalAnswer[]): readonly AnsweredRetrieval[];
  /** See {@linkcode ExchangeEnd.responseId}; without it the provider keeps no state. */
  readonly responseId?: ExchangeEnd["responseId"];
}

/** A format's documents. */
export interface ResponseShape {
  /** The rounds, as {@linkcode ResponseShape.read} notes them. */
  readonly log: RoundLog;
  /** Members of `usage` when rounds are joined. */
  readonly usage: UsageMembers;
  /** Notes a round, after which none may follow with `isLast`; returns in words why its document is no response of the format. */
  read(json: string, isLast: boolean): ReadRound | string;
  /** Writes what the client sees of all rounds into the members of the last one's document. */
  show(members: Map<string, string>): void;
  /** See {@linkcode RetrievalExchange.failure}. */
  failure(message: string): string;
}

/** Follows a response that is not streamed. */
export class WholeResponse implements RetrievalExchange {
  /** See {@linkcode RetrievalExchange.ping}. */
  readonly ping: Uint8Array = NOTHING;
  readonly #shape: ResponseShape;
  readonly #usage: RoundsUsage;
  #body: Uint8Array = NOTHING;
  #members: Map<string, string> | undefined;
  #id: string | undefined;
  #touched = false;

  /** Starts with the first round. */
  constructor(shape: ResponseShape) {
    this.#shape = shape;
    this.#usage = new RoundsUsage(shape.usage);
  }

  /** See {@linkcode RetrievalExchange.touched}. */
  get touched(): boolean {
    return this.#touched;
  }

  /** Takes the whole document. */
  push(chunk: Uint8Array): Uint8Array {
    this.#body = chunk;
    return NOTHING;
  }

  /** See {@linkcode RetrievalExchange.endRound}. */
  endRound(isLast = false): RoundEnd {
    const round = this.#shape.read(decoder.decode(this.#body), isLast);
    if (typeof round === "string") {
      if (this.#touched) throw notRebuilt(round);
      return { calls: [], continues: false, bytes: NOTHING };
    }
    const { members, id, retrieves, calls, continues } = round;
    this.#members = members;
    this.#id ??= id;
    this.#usage.add(members.get("usage"));
    this.#touched ||= retrieves;
    return { calls, continues, bytes: NOTHING };
  }

  /** See {@linkcode RetrievalExchange.rest}. */
  rest(): Uint8Array {
    return NOTHING;
  }

  /** See {@linkcode RetrievalExchange.continuation}. */
  continuation(answers: readonly RetrievalAnswer[]): Uint8Array {
    return utf8.encode(this.#shape.log.answer(answers));
  }

  /** See {@linkcode RetrievalExchange.finish}. */
  finish(answers: readonly RetrievalAnswer[]): ExchangeEnd {
    const { log } = this.#shape;
    return {
      bytes: this.#final(),
      records: log.records(answers),
      responseId: log.responseId,
    };
  }

  /** The last document under the first one's id, with the usage of all. */
  #final(): Uint8Array {
    const members = this.#members;
    if (!this.#touched || members === undefined) return this.#body;
    this.#shape.show(members);
    if (this.#id !== undefined) members.set("id", this.#id);
    const usage = this.#usage.joined;
    if (usage !== undefined) members.set("usage", usage);
    return utf8.encode(objectOf(members));
  }

  /** See {@linkcode RetrievalExchange.failure}. */
  failure(message: string): Uint8Array {
    return utf8.encode(this.#shape.failure(message));
  }
}
