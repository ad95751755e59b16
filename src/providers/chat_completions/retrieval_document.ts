/** A chat completion that is one JSON document. @module */
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
import { joinedUsage, NOTHING } from "../../sse/splicer.ts";
import {
  errorJson,
  turnJson,
  TurnLog,
  turnOf,
  USAGE,
} from "./retrieval_turn.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const MESSAGE = ["choices", 0, "message"] as const;

/** Follows a response that is not streamed. */
export class DocumentExchange implements RetrievalExchange {
  /** See {@linkcode RetrievalExchange.ping}. */
  readonly ping: Uint8Array = NOTHING;
  readonly #log: TurnLog;
  readonly #usages: string[] = [];
  #body: Uint8Array = NOTHING;
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
    const value = objectOr(parseJson(text));
    const choices = Array.isArray(value.choices) ? value.choices : [];
    const choice = objectOr(choices[0]);
    if (choices.length !== 1 || !isJsonObject(choice.message)) {
      if (this.#touched) throw notRebuilt("the next response is no completion");
      return { calls: [], continues: false, bytes: NOTHING };
    }
    this.#id ??= textAt(text, ["id"]);
    if (isJsonObject(value.usage)) {
      this.#usages.push(textAt(text, ["usage"])!);
    }
    const turn = turnOf(textAt(text, MESSAGE)!);
    this.#touched ||= turn.calls.some(({ isOurs }) => isOurs);
    const end = this.#log.end(turn, choice.finish_reason);
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
    const bytes = this.#touched ? this.#final() : this.#body;
    return {
      bytes,
      records: this.#log.records(answers),
      responseId: undefined,
    };
  }

  #final(): Uint8Array {
    const message = turnJson(this.#log.shown());
    const members = membersOf(
      setAt(decoder.decode(this.#body), MESSAGE, message),
    );
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
