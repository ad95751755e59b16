/** A responses response that is an event stream. @module */
import {
  elementsOf,
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
import { isRetrieval, turnItems } from "./retrieval_item.ts";
import { TurnLog, USAGE } from "./retrieval_turn.ts";

const utf8 = new TextEncoder();
const STARTS = new Set<unknown>([
  "response.created",
  "response.in_progress",
  "response.queued",
]);
const ENDS = new Set<unknown>([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "response.cancelled",
]);

/** An output item, as far as it has come. */
interface OpenItem {
  /** As its latest event gave it. */
  json: string;
  isDone: boolean;
  /** Whether the proxy answers it: the client does not see it. */
  readonly isOurs: boolean;
  /** Its index in the client's stream. */
  readonly shownAt: unknown;
}

/** What one round has said so far. */
interface Round {
  readonly splitter: EventSplitter;
  /** By the upstream's index. */
  readonly items: Map<unknown, OpenItem>;
  /** The event that ends the response, held back once the client's stream differs. */
  tail: RawEvent | undefined;
  /** Whether all its events could be read. */
  isWhole: boolean;
}

/** Follows a streamed response. Only the events of a retrieval and of the response's end are ever held back. */
export class StreamExchange implements RetrievalExchange {
  /** A comment: clients skip it. */
  readonly ping: Uint8Array = utf8.encode(": ping\n\n");
  readonly #log: TurnLog;
  readonly #usage = new RoundsUsage(USAGE);
  #round = newRound();
  #shown = 0;
  #sequence = 0;
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
    const { type } = value;
    if (STARTS.has(type)) {
      return this.#log.continued === 0 ? this.#sent(event, value) : NOTHING;
    }
    if (ENDS.has(type)) {
      if (!this.#touched) return event.raw;
      this.#round.tail = event;
      return NOTHING;
    }
    if (type === "error") this.#failed = true;
    if (type === "error" || value.output_index === undefined) {
      return this.#sent(event, value);
    }
    return this.#part(event, value);
  }

  #part(event: RawEvent, value: Record<string, unknown>): Uint8Array {
    const index = value.output_index;
    let open = this.#round.items.get(index);
    if (isJsonObject(value.item)) {
      const json = textAt(event.data!, ["item"])!;
      open ??= this.#opened(value.item, index);
      open.json = json;
      open.isDone = value.type === "response.output_item.done";
      this.#round.items.set(index, open);
    }
    if (open?.isOurs) return NOTHING;
    if (open === undefined || open.shownAt === index) {
      return this.#sent(event, value);
    }
    const data = setAt(event.data!, ["output_index"], String(open.shownAt));
    return this.#sent({ raw: withData(event, data), data }, value);
  }

  #opened(item: Record<string, unknown>, index: unknown): OpenItem {
    const isOurs = isRetrieval(item);
    this.#touched ||= isOurs;
    const shownAt = isOurs ? undefined : this.#shownIndex(index);
    return { json: "{}", isDone: false, isOurs, shownAt };
  }

  /** The index of an item in the client's stream: the provider's own, until the first retrieval. */
  #shownIndex(index: unknown): unknown {
    if (this.#touched) return this.#shown++;
    if (typeof index === "number") this.#shown = index + 1;
    return index;
  }

  /** The event with the client's next sequence number. */
  #sent(
    event: RawEvent,
    { sequence_number: number }: Record<string, unknown>,
  ): Uint8Array {
    if (typeof number !== "number") return event.raw;
    if (!this.#touched) this.#sequence = number;
    const next = this.#sequence++;
    return number === next
      ? event.raw
      : withData(event, setAt(event.data!, ["sequence_number"], String(next)));
  }

  /** See {@linkcode RetrievalExchange.endRound}. */
  endRound(isLast = false): RoundEnd {
    const last = this.#round.splitter.end();
    const bytes = joined(last.map((event) => this.#take(event)));
    if (this.#failed || !this.#touched) {
      return { calls: [], continues: false, bytes };
    }
    const json = textAt(this.#round.tail?.data ?? "", ["response"]);
    const response = objectOr(parseJson(json ?? ""));
    if (json === undefined) {
      throw notRebuilt("the stream ended within a response");
    }
    this.#usage.add(textAt(json, ["usage"]));
    const items = turnItems(this.#itemsOf(json));
    const end = this.#log.end(items, response, isLast);
    const isWhole = this.#round.isWhole &&
      [...this.#round.items.values()].every(({ isDone }) => isDone);
    if (end.continues && !isWhole) {
      throw notRebuilt("an output item is not complete");
    }
    return { ...end, bytes };
  }

  /** Items of the round. One that was cut off stands only in the response itself. */
  #itemsOf(response: string): readonly string[] {
    const items = [...this.#round.items.values()];
    const output = textAt(response, ["output"]) ?? "null";
    const listed = output.startsWith("[") ? elementsOf(output) : [];
    const isWhole = items.every(({ isDone }) => isDone);
    return isWhole || listed.length !== items.length
      ? items.map(({ json }) => json)
      : listed;
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
    const tail = this.#round.tail;
    if (this.#failed || !this.#touched || tail === undefined) {
      return { bytes: NOTHING, records: [], responseId: undefined };
    }
    const value = objectOr(parseJson(tail.data!));
    const isFailure = value.type === "response.failed";
    return {
      bytes: this.#final(tail, value),
      records: isFailure ? [] : this.#log.records(answers),
      responseId: isFailure ? undefined : this.#log.responseId,
    };
  }

  #final(tail: RawEvent, value: Record<string, unknown>): Uint8Array {
    const members = membersOf(textAt(tail.data!, ["response"])!);
    const output = this.#log.shown.map(({ json }) => json).join(",");
    members.set("output", `[${output}]`);
    members.set("id", JSON.stringify(this.#log.shownId));
    const usage = this.#usage.joined;
    if (usage !== undefined) members.set("usage", usage);
    const data = setAt(tail.data!, ["response"], objectOf(members));
    return this.#sent({ raw: withData(tail, data), data }, value);
  }

  /** See {@linkcode RetrievalExchange.failure}. */
  failure(message: string): Uint8Array {
    return eventOf(
      "error",
      JSON.stringify({
        type: "error",
        sequence_number: this.#sequence++,
        code: "server_error",
        message,
        param: null,
      }),
    );
  }
}

function newRound(): Round {
  return {
    splitter: new EventSplitter(),
    items: new Map(),
    tail: undefined,
    isWhole: true,
  };
}
