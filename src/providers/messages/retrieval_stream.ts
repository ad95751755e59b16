/** A messages response that is an event stream. @module */
import {
  isJsonObject,
  membersOf,
  objectOf,
  objectOr,
  parseJson,
  setAt,
  textAt,
} from "../../bytes/json_parts.ts";
import {
  type ExchangeEnd,
  type ExchangeOptions,
  notRebuilt,
  type RetrievalAnswer,
  type RetrievalExchange,
  type RoundEnd,
} from "../../core/retrieval.ts";
import {
  asItCame,
  eventOf,
  EventSplitter,
  joined,
  NOTHING,
  type RawEvent,
  RoundsUsage,
  withData,
} from "../../sse/splicer.ts";
import { StreamedBlock } from "./retrieval_block.ts";
import { errorJson, TurnLog, USAGE } from "./retrieval_turn.ts";

const utf8 = new TextEncoder();

/** What one round has said so far. */
interface Round {
  readonly splitter: EventSplitter;
  /** By the upstream's index. */
  readonly blocks: Map<unknown, StreamedBlock>;
  /** Events that end the message, held back once the client's stream differs. */
  readonly tail: RawEvent[];
  usage: Map<string, string>;
  stop: unknown;
  ended: boolean;
  /** Whether all its events could be read. */
  isWhole: boolean;
}

/** Follows a streamed response. Only the events of a retrieval and of the message's end are ever held back. */
export class StreamExchange implements RetrievalExchange {
  /** See {@linkcode RetrievalExchange.ping}. */
  readonly ping: Uint8Array = eventOf("ping", '{"type": "ping"}');
  readonly #log: TurnLog;
  readonly #usage = new RoundsUsage(USAGE);
  #round = newRound();
  #shown = 0;
  #touched = false;
  #failed = false;

  /** Starts with the first round. */
  constructor(options: ExchangeOptions) {
    this.#log = new TurnLog(options);
  }

  /** See {@linkcode RetrievalExchange.touched}. */
  get touched(): boolean {
    return this.#touched;
  }

  /** See {@linkcode RetrievalExchange.push}. */
  push(chunk: Uint8Array): Uint8Array {
    const events = this.#round.splitter.push(chunk);
    return joined(events.map((event) => this.#take(event)));
  }

  #take(event: RawEvent): Uint8Array {
    try {
      return this.#read(event);
    } catch (error) {
      this.#round.isWhole = false;
      return asItCame(event, error, this.#touched);
    }
  }

  #read(event: RawEvent): Uint8Array {
    const value = objectOr(parseJson(event.data ?? ""));
    switch (value.type) {
      case "message_start":
        this.#noteUsage(textAt(event.data!, ["message", "usage"]));
        return this.#log.continued === 0 ? event.raw : NOTHING;
      case "content_block_start":
        return this.#start(event, value);
      case "message_delta":
        this.#round.stop = objectOr(value.delta).stop_reason;
        this.#noteUsage(textAt(event.data!, ["usage"]));
        return this.#end(event);
      case "message_stop":
        this.#round.ended = true;
        return this.#end(event);
      case "error":
        this.#failed = true;
        return event.raw;
    }
    return value.index === undefined ? event.raw : this.#part(event, value);
  }

  /** A later report wins; the first names the input side, the last the output side. */
  #noteUsage(usage: string | undefined): void {
    if (!isJsonObject(parseJson(usage ?? ""))) return;
    for (const [key, value] of membersOf(usage!)) {
      this.#round.usage.set(key, value);
    }
  }

  #start(event: RawEvent, { index }: Record<string, unknown>): Uint8Array {
    const json = textAt(event.data!, ["content_block"]) ?? "{}";
    const block = new StreamedBlock(json);
    this.#round.blocks.set(index, block);
    if (block.isOurs) {
      block.isHidden = true;
      this.#touched = true;
      return NOTHING;
    }
    block.shownAt = this.#shownIndex(index);
    return renumbered(event, index, block.shownAt);
  }

  /** The index of a block in the client's stream: the provider's own, until the first retrieval. */
  #shownIndex(index: unknown): unknown {
    if (this.#touched) return this.#shown++;
    if (typeof index === "number") this.#shown = index + 1;
    return index;
  }

  #part(event: RawEvent, value: Record<string, unknown>): Uint8Array {
    const block = this.#round.blocks.get(value.index);
    if (block === undefined) return event.raw;
    if (value.type === "content_block_delta") {
      const json = () => textAt(event.data!, ["delta"]) ?? "{}";
      block.add(objectOr(value.delta), json);
    }
    return block.isHidden
      ? NOTHING
      : renumbered(event, value.index, block.shownAt);
  }

  #end(event: RawEvent): Uint8Array {
    if (!this.#touched) return event.raw;
    this.#round.tail.push(event);
    return NOTHING;
  }

  /** See {@linkcode RetrievalExchange.endRound}. */
  endRound(isLast = false): RoundEnd {
    const last = this.#round.splitter.end();
    const bytes = joined(last.map((event) => this.#take(event)));
    const { blocks, ended, isWhole, stop, usage } = this.#round;
    if (this.#failed || !this.#touched) {
      return { calls: [], continues: false, bytes };
    }
    if (!ended) throw notRebuilt("the stream ended within a message");
    this.#usage.add(usage.size > 0 ? objectOf(usage) : undefined);
    const streamed = [...blocks.values()];
    const turn = streamed.map((block) => block.whole());
    const end = this.#log.end(turn, stop, isLast);
    const needed = end.continues
      ? streamed
      : streamed.filter(({ isOurs }) => isOurs && end.calls.length > 0);
    const isExact = needed.every(({ isExact }) => isExact);
    if (!isExact || (end.continues && !isWhole)) {
      throw notRebuilt("a content block is not complete");
    }
    return { ...end, bytes };
  }

  /** See {@linkcode RetrievalExchange.rest}. */
  rest(): Uint8Array {
    return joined(this.#round.splitter.end().map(({ raw }) => raw));
  }

  /** See {@linkcode RetrievalExchange.continuation}. */
  continuation(answers: readonly RetrievalAnswer[]): Uint8Array {
    this.#round = newRound();
    return utf8.encode(this.#log.answer(answers));
  }

  /** See {@linkcode RetrievalExchange.finish}. */
  finish(answers: readonly RetrievalAnswer[]): ExchangeEnd {
    if (this.#failed || !this.#touched) {
      return { bytes: NOTHING, records: [], responseId: undefined };
    }
    const tail = this.#round.tail.map((event) => this.#final(event));
    return {
      bytes: joined(tail),
      records: this.#log.records(answers),
      responseId: undefined,
    };
  }

  #final(event: RawEvent): Uint8Array {
    const usage = this.#usage.joined;
    const { type } = objectOr(parseJson(event.data ?? ""));
    if (type !== "message_delta") return event.raw;
    const data = this.#log.isCut
      ? setAt(event.data!, ["delta", "stop_reason"], '"end_turn"')
      : event.data!;
    return usage === undefined && data === event.data ? event.raw : withData(
      event,
      usage === undefined ? data : setAt(data, ["usage"], usage),
    );
  }

  /** See {@linkcode RetrievalExchange.failure}. */
  failure(message: string): Uint8Array {
    return eventOf("error", errorJson(message));
  }
}

function newRound(): Round {
  return {
    splitter: new EventSplitter(),
    blocks: new Map(),
    tail: [],
    usage: new Map(),
    stop: undefined,
    ended: false,
    isWhole: true,
  };
}

function renumbered(event: RawEvent, from: unknown, to: unknown): Uint8Array {
  return from === to
    ? event.raw
    : withData(event, setAt(event.data!, ["index"], String(to)));
}
