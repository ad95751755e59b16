/** A messages response that is one JSON document. @module */
import {
  elementsOf,
  isJsonObject,
  membersOf,
  objectOf,
  parseJson,
} from "../../bytes/json_parts.ts";
import {
  type ExchangeEnd,
  type ExchangeOptions,
  notRebuilt,
  type RetrievalAnswer,
  type RetrievalExchange,
  type RoundEnd,
} from "../../core/retrieval.ts";
import { joinedUsage, NOTHING } from "../../sse/splicer.ts";
import { errorJson, turnBlock, TurnLog, USAGE } from "./retrieval_turn.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Follows a response that is not streamed. */
export class DocumentExchange implements RetrievalExchange {
  /** See {@linkcode RetrievalExchange.ping}. */
  readonly ping: Uint8Array = NOTHING;
  readonly #log: TurnLog;
  readonly #usages: string[] = [];
  #body: Uint8Array = NOTHING;
  #members: Map<string, string> | undefined;
  #id: string | undefined;
  #touched = false;

  /** Starts with the first round. */
  constructor(options: ExchangeOptions) {
    this.#log = new TurnLog(options);
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
  endRound(): RoundEnd {
    const text = decoder.decode(this.#body);
    const value = parseJson(text);
    if (!isJsonObject(value) || !Array.isArray(value.content)) {
      if (this.#touched) throw notRebuilt("the next response is no message");
      return { calls: [], continues: false, bytes: NOTHING };
    }
    const members = membersOf(text);
    this.#members = members;
    this.#id ??= members.get("id");
    if (isJsonObject(value.usage)) this.#usages.push(members.get("usage")!);
    const blocks = elementsOf(members.get("content")!).map(turnBlock);
    this.#touched ||= blocks.some(({ calls }) => calls === "proxy");
    const end = this.#log.end(blocks, value.stop_reason);
    return { ...end, bytes: NOTHING };
  }

  /** See {@linkcode RetrievalExchange.rest}. */
  rest(): Uint8Array {
    return NOTHING;
  }

  /** See {@linkcode RetrievalExchange.continuation}. */
  continuation(answers: readonly RetrievalAnswer[]): Uint8Array {
    return utf8.encode(this.#log.answer(answers));
  }

  /** See {@linkcode RetrievalExchange.finish}. */
  finish(answers: readonly RetrievalAnswer[]): ExchangeEnd {
    const records = this.#log.records(answers);
    return { bytes: this.#final(), records, responseId: undefined };
  }

  #final(): Uint8Array {
    const members = this.#members;
    if (!this.#touched || !members) return this.#body;
    const content = this.#log.shown.map(({ json }) => json).join(",");
    members.set("content", `[${content}]`);
    if (this.#id !== undefined) members.set("id", this.#id);
    const usage = joinedUsage(this.#usages, USAGE);
    if (usage !== undefined && this.#log.continued > 0) {
      members.set("usage", usage);
    }
    return utf8.encode(objectOf(members));
  }

  /** See {@linkcode RetrievalExchange.failure}. */
  failure(message: string): Uint8Array {
    return utf8.encode(errorJson(message));
  }
}
