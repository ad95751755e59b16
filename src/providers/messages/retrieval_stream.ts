/** A messages response that is an event stream. @module */
import {
  elementsOf,
  isJsonObject,
  membersOf,
  objectOf,
  objectOr,
  parseJson,
  setAt,
  textAt,
  textOr,
} from "../../bytes/json_parts.ts";
import type { ExchangeOptions } from "../../core/retrieval.ts";
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
import type { TurnElement } from "../turn_rounds.ts";
import { errorJson, turnBlock, TurnLog, USAGE } from "./retrieval_turn.ts";

/** Follows a streamed response. */
export class StreamExchange extends StreamedResponse {
  /** Starts with the first round. */
  constructor(options: ExchangeOptions) {
    const log = new TurnLog(options);
    super({
      log,
      usage: USAGE,
      ping: eventOf("ping", '{"type": "ping"}'),
      round: (client) => new MessageRound(log, client),
      failure: (message, said) => eventOf("error", errorJson(message, said)),
    });
  }
}

/** What one round has said so far. */
class MessageRound implements StreamRound {
  readonly #log: TurnLog;
  readonly #client: ClientStream;
  /** By the upstream's index. */
  readonly #blocks: Map<unknown, StreamedBlock> = new Map();
  readonly #usage: Map<string, string> = new Map();
  #stop: unknown;
  #ended = false;

  constructor(log: TurnLog, client: ClientStream) {
    this.#log = log;
    this.#client = client;
  }

  read(event: RawEvent): Uint8Array {
    const value = objectOr(parseJson(event.data ?? ""));
    switch (value.type) {
      case "message_start":
        this.#noteUsage(textAt(event.data!, ["message", "usage"]));
        return this.#log.continued === 0 ? event.raw : NOTHING;
      case "content_block_start":
        return this.#start(event, value);
      case "message_delta":
        this.#stop = objectOr(value.delta).stop_reason;
        this.#noteUsage(textAt(event.data!, ["usage"]));
        return this.#client.hold(event);
      case "message_stop":
        this.#ended = true;
        return this.#client.hold(event);
      case "error":
        this.#client.failed = true;
        return event.raw;
    }
    return value.index === undefined ? event.raw : this.#part(event, value);
  }

  /** A later report wins; the first names the input side, the last the output side. */
  #noteUsage(usage: string | undefined): void {
    if (!isJsonObject(parseJson(usage ?? ""))) return;
    for (const [key, value] of membersOf(usage!)) this.#usage.set(key, value);
  }

  #start(event: RawEvent, { index }: Record<string, unknown>): Uint8Array {
    const json = textAt(event.data!, ["content_block"]) ?? "{}";
    const block = new StreamedBlock(json);
    this.#blocks.set(index, block);
    if (block.isOurs) {
      block.isHidden = true;
      this.#client.touched = true;
      return NOTHING;
    }
    block.shownAt = this.#client.shownIndex(index);
    return renumbered(event, index, block.shownAt);
  }

  #part(event: RawEvent, value: Record<string, unknown>): Uint8Array {
    const block = this.#blocks.get(value.index);
    if (block === undefined) return event.raw;
    if (value.type === "content_block_delta") {
      const json = () => textAt(event.data!, ["delta"]) ?? "{}";
      block.add(objectOr(value.delta), json);
    }
    return block.isHidden
      ? NOTHING
      : renumbered(event, value.index, block.shownAt);
  }

  end(isLast: boolean): ReadStream | string {
    if (!this.#ended) return "the stream ended within a message";
    const blocks = [...this.#blocks.values()];
    const turn = blocks.map((block) => block.whole());
    const end = this.#log.end(turn, this.#stop, isLast);
    const needed = end.continues
      ? blocks
      : blocks.filter(({ isOurs }) => isOurs && end.calls.length > 0);
    const isExact = needed.every(({ isExact }) => isExact);
    if (!isExact || (end.continues && !this.#client.isWhole)) {
      return "a content block is not complete";
    }
    const usage = this.#usage.size > 0 ? objectOf(this.#usage) : undefined;
    const { filler } = this.#log;
    return filler === undefined
      ? { ...end, usage }
      : { ...end, usage, lastWords: this.#block(filler) };
  }

  /** The events of one more text. */
  #block(text: string): readonly Uint8Array[] {
    const index = this.#client.nextIndex();
    const event = (type: string, members: object) =>
      eventOf(type, JSON.stringify({ type, index, ...members }));
    return [
      event("content_block_start", {
        content_block: { type: "text", text: "" },
      }),
      event("content_block_delta", { delta: { type: "text_delta", text } }),
      event("content_block_stop", {}),
    ];
  }

  final(event: RawEvent, usage: string | undefined): Uint8Array {
    const { type } = objectOr(parseJson(event.data ?? ""));
    if (type !== "message_delta") return event.raw;
    const data = this.#log.isCut
      ? setAt(event.data!, ["delta", "stop_reason"], '"end_turn"')
      : event.data!;
    return withData(
      event,
      usage === undefined ? data : setAt(data, ["usage"], usage),
    );
  }
}

function renumbered(event: RawEvent, from: unknown, to: unknown): Uint8Array {
  return from === to
    ? event.raw
    : withData(event, setAt(event.data!, ["index"], String(to)));
}

/** Deltas that append text, by type: member of the delta and of the block. */
const TEXT_DELTAS = new Map([
  ["text_delta", "text"],
  ["thinking_delta", "thinking"],
  ["signature_delta", "signature"],
  ["compaction_delta", "content"],
]);

/** Grows by the block's deltas. What it cannot hold makes it inexact. */
class StreamedBlock {
  /** Its index in the client's stream. */
  shownAt: unknown;
  /** Whether the client does not see it. */
  isHidden = false;
  readonly #members: Map<string, string>;
  readonly #texts: Map<string, string[]> = new Map();
  readonly #input: string[] = [];
  readonly #citations: string[] = [];
  #isExact = true;

  /**
   * Begins with the block of its start event.
   * @throws {SyntaxError} If `json` is not an object.
   */
  constructor(json: string) {
    this.#members = membersOf(json);
  }

  /** Whether it is a call of the retrieval tool. */
  get isOurs(): boolean {
    return turnBlock(objectOf(this.#members)).calls === "proxy";
  }

  /** Whether {@linkcode whole} is the block as the model produced it. */
  get isExact(): boolean {
    return this.#isExact && parseJson(this.#inputJson()) !== undefined;
  }

  /**
   * Takes a `delta`.
   *
   * @param delta Parsed. @param json Gives it as it is written.
   */
  add(delta: Readonly<Record<string, unknown>>, json: () => string): void {
    const type = textOr(delta.type);
    const member = TEXT_DELTAS.get(type);
    if (member !== undefined) {
      const texts = this.#texts.get(member) ?? [];
      texts.push(textOr(delta[member]));
      this.#texts.set(member, texts);
    } else if (type === "input_json_delta") {
      this.#input.push(textOr(delta.partial_json));
    } else if (type === "citations_delta") {
      this.#citations.push(membersOf(json()).get("citation") ?? "null");
    } else this.#isExact = false;
  }

  /** The block with all its deltas. */
  whole(): TurnElement {
    const members = new Map(this.#members);
    for (const [member, texts] of this.#texts) {
      const start = textOr(parseJson(members.get(member) ?? "null"));
      members.set(member, JSON.stringify(start + texts.join("")));
    }
    const input = this.#inputJson();
    if (this.#input.length > 0 && parseJson(input) !== undefined) {
      members.set("input", input);
    }
    if (this.#citations.length > 0) {
      const start = members.get("citations") ?? "null";
      const before = start.startsWith("[") ? elementsOf(start) : [];
      members.set("citations", `[${[...before, ...this.#citations]}]`);
    }
    return turnBlock(objectOf(members));
  }

  /** Empty input deltas leave the start event's input: the model passed no arguments. */
  #inputJson(): string {
    const input = this.#input.join("");
    return input === "" ? this.#members.get("input") ?? "{}" : input;
  }
}
