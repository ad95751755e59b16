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
import type { ExchangeOptions, ProviderError } from "../../core/retrieval.ts";
import {
  eventOf,
  NOTHING,
  type RawEvent,
  withData,
} from "../../sse/splicer.ts";
import {
  type ClientStream,
  type ReadStream,
  StreamedResponse,
  type StreamRound,
} from "../streamed_response.ts";
import { isOurs, turnItems } from "./retrieval_item.ts";
import { TurnLog, USAGE } from "./retrieval_turn.ts";

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

/** Follows a streamed response. */
export class StreamExchange extends StreamedResponse {
  /** Starts with the first round. */
  constructor(options: ExchangeOptions) {
    const log = new TurnLog(options);
    const { findsTools = false } = options;
    const all: Output = { log, sequence: 0, findsTools };
    super({
      log,
      usage: USAGE,
      round: (client) => new OutputRound(all, client),
      failure: (message, said) =>
        eventOf("error", errorJson(all.sequence++, said ?? { message })),
    });
  }
}

/** What outlives a round. */
interface Output {
  readonly log: TurnLog;
  /** See {@linkcode ExchangeOptions.findsTools}. */
  readonly findsTools: boolean;
  /** The next number of an event in the client's stream. */
  sequence: number;
}

/** What one round has said so far. */
class OutputRound implements StreamRound {
  isFailure = false;
  readonly #all: Output;
  readonly #log: TurnLog;
  readonly #client: ClientStream;
  /** By the upstream's index. */
  readonly #items: Map<unknown, OpenItem> = new Map();

  constructor(all: Output, client: ClientStream) {
    this.#all = all;
    this.#log = all.log;
    this.#client = client;
  }

  read(event: RawEvent): Uint8Array {
    const value = objectOr(parseJson(event.data ?? ""));
    const { type } = value;
    if (STARTS.has(type)) {
      return this.#log.continued === 0 ? this.#sent(event, value) : NOTHING;
    }
    if (ENDS.has(type)) {
      if (!this.#client.touched) return event.raw;
      this.#client.tail = [event];
      this.isFailure = type === "response.failed";
      return NOTHING;
    }
    if (type === "error") this.#client.failed = true;
    if (type === "error" || value.output_index === undefined) {
      return this.#sent(event, value);
    }
    return this.#part(event, value);
  }

  #part(event: RawEvent, value: Record<string, unknown>): Uint8Array {
    const index = value.output_index;
    let open = this.#items.get(index);
    if (isJsonObject(value.item)) {
      const json = textAt(event.data!, ["item"])!;
      open ??= this.#opened(value.item, index);
      open.json = json;
      open.isDone = value.type === "response.output_item.done";
      this.#items.set(index, open);
    }
    if (open?.isOurs) return NOTHING;
    if (open === undefined || open.shownAt === index) {
      return this.#sent(event, value);
    }
    const data = setAt(event.data!, ["output_index"], String(open.shownAt));
    return this.#sent({ raw: withData(event, data), data }, value);
  }

  #opened(item: Record<string, unknown>, index: unknown): OpenItem {
    const isHidden = isOurs(item, this.#all.findsTools);
    this.#client.touched ||= isHidden;
    const shownAt = isHidden ? undefined : this.#client.shownIndex(index);
    return { json: "{}", isDone: false, isOurs: isHidden, shownAt };
  }

  /** The event with the client's next sequence number. */
  #sent(
    event: RawEvent,
    { sequence_number: number }: Record<string, unknown>,
  ): Uint8Array {
    if (typeof number !== "number") return event.raw;
    if (!this.#client.touched) this.#all.sequence = number;
    const next = this.#all.sequence++;
    return number === next
      ? event.raw
      : withData(event, setAt(event.data!, ["sequence_number"], String(next)));
  }

  end(isLast: boolean): ReadStream | string {
    const json = textAt(this.#client.tail[0]?.data ?? "", ["response"]);
    const response = objectOr(parseJson(json ?? ""));
    if (json === undefined) return "the stream ended within a response";
    const items = turnItems(this.#itemsOf(json), this.#all.findsTools);
    const end = this.#log.end(items, response, isLast);
    const isWhole = this.#client.isWhole &&
      [...this.#items.values()].every(({ isDone }) => isDone);
    if (end.continues && !isWhole) {
      return "an output item is not complete";
    }
    return { ...end, usage: textAt(json, ["usage"]) };
  }

  /** Items of the round. One that was cut off stands only in the response itself. */
  #itemsOf(response: string): readonly string[] {
    const items = [...this.#items.values()];
    const output = textAt(response, ["output"]) ?? "null";
    const listed = output.startsWith("[") ? elementsOf(output) : [];
    const isWhole = items.every(({ isDone }) => isDone);
    return isWhole || listed.length !== items.length
      ? items.map(({ json }) => json)
      : listed;
  }

  final(event: RawEvent, usage: string | undefined): Uint8Array {
    const members = membersOf(textAt(event.data!, ["response"])!);
    const output = this.#log.shown.map(({ json }) => json).join(",");
    members.set("output", `[${output}]`);
    members.set("id", JSON.stringify(this.#log.shownId));
    if (usage !== undefined) members.set("usage", usage);
    const data = setAt(event.data!, ["response"], objectOf(members));
    const value = objectOr(parseJson(event.data!));
    return this.#sent({ raw: withData(event, data), data }, value);
  }
}

function errorJson(
  sequence_number: number,
  { message, code, type, param = null }: ProviderError,
): string {
  return JSON.stringify({
    type: "error",
    sequence_number,
    code: code ?? type ?? "server_error",
    message,
    param,
  });
}
