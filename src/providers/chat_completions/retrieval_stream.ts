/** A chat completion that is an event stream. @module */
import { concat } from "../../bytes/concat.ts";
import {
  isJsonObject,
  membersOf,
  objectOf,
  objectOr,
  parseJson,
  setAt,
  textAt,
} from "../../bytes/json_parts.ts";
import type { ExchangeOptions } from "../../core/retrieval.ts";
import {
  eventOf,
  NOTHING,
  type RawEvent,
  withData,
} from "../../sse/splicer.ts";
import { withoutUsage } from "../added_usage.ts";
import {
  type ClientStream,
  type ReadStream,
  StreamedResponse,
  type StreamRound,
} from "../streamed_response.ts";
import { StreamedTurn } from "./retrieval_delta.ts";
import { errorJson, TurnLog, USAGE } from "./retrieval_turn.ts";

const DELTA = ["choices", 0, "delta"] as const;
const FINISH = ["choices", 0, "finish_reason"] as const;

/** Follows a streamed response. */
export class StreamExchange extends StreamedResponse {
  /** Starts with the first round. */
  constructor(options: ExchangeOptions) {
    const log = new TurnLog(options);
    const all: Completion = { log, options, id: undefined };
    super({
      log,
      usage: USAGE,
      round: (client) => new CompletionRound(all, client),
      failure: (message, said) => eventOf(undefined, errorJson(message, said)),
    });
  }
}

/** What outlives a round. */
interface Completion {
  readonly log: TurnLog;
  readonly options: ExchangeOptions;
  /** Its first id: JSON. */
  id: string | undefined;
}

/** What one round has said so far. */
class CompletionRound implements StreamRound {
  readonly #all: Completion;
  readonly #log: TurnLog;
  readonly #client: ClientStream;
  readonly #turn = new StreamedTurn();
  /** Events that wait for the name of a call, as they came and as the client sees them behind a retrieval. */
  readonly #raw: Uint8Array[] = [];
  readonly #edited: Uint8Array[] = [];
  #usage: string | undefined;
  #finish: unknown;

  constructor(all: Completion, client: ClientStream) {
    this.#all = all;
    this.#log = all.log;
    this.#client = client;
  }

  relay(received: RawEvent, read: StreamRound["read"]): Uint8Array {
    const { hidesUsage } = this.#all.options;
    const event = hidesUsage ? withoutUsage(received) : received;
    if (event === undefined) return NOTHING;
    const shown = read(event);
    const { touched, failed } = this.#client;
    if (touched) {
      this.#raw.length = 0;
      return concat([...this.#edited.splice(0), shown]);
    }
    const isOver = failed || event.data === "[DONE]";
    if (this.#turn.isUndecided && !isOver) {
      this.#raw.push(event.raw);
      this.#edited.push(shown);
      return NOTHING;
    }
    return concat([...this.release(), event.raw]);
  }

  /** No call in what waits is a retrieval. */
  release(): readonly Uint8Array[] {
    this.#turn.giveUpNameless(() => this.#client.nextIndex());
    this.#client.tail = [];
    this.#edited.length = 0;
    return this.#raw.splice(0);
  }

  read(event: RawEvent): Uint8Array {
    if (event.data === undefined) return event.raw;
    if (event.data === "[DONE]") {
      return this.#client.hold(event, this.#isEdited);
    }
    const value = objectOr(parseJson(event.data));
    if (isJsonObject(value.error)) {
      this.#client.failed = true;
      return event.raw;
    }
    this.#all.id ??= textAt(event.data, ["id"]);
    const hasUsage = isJsonObject(value.usage);
    if (hasUsage) this.#usage = textAt(event.data, ["usage"]);
    if (Array.isArray(value.choices) && value.choices.length > 0) {
      return this.#choice(event, objectOr(value.choices[0]));
    }
    if (hasUsage) return this.#client.hold(event, this.#isEdited);
    return this.#log.continued === 0 ? event.raw : NOTHING;
  }

  #choice(event: RawEvent, choice: Record<string, unknown>): Uint8Array {
    const delta = this.#shownOf(event, choice);
    this.#client.touched ||= this.#turn.retrieves;
    const ends = typeof choice.finish_reason === "string";
    if (ends) this.#finish ??= choice.finish_reason;
    if (!this.#isEdited) return event.raw;
    const data = delta === undefined
      ? event.data!
      : setAt(event.data!, DELTA, delta);
    if (ends) {
      return this.#client.hold({ raw: withData(event, data), data }, true);
    }
    const shown = objectOr(delta ? parseJson(delta) : choice.delta);
    return isEmpty(shown) ? NOTHING : this.#named(event, data);
  }

  /** Takes a choice's delta; returns what the client sees of it, `undefined` for all. */
  #shownOf(
    event: RawEvent,
    choice: Record<string, unknown>,
  ): string | undefined {
    const delta = objectOr(choice.delta);
    const again = delta.role !== undefined && this.#log.continued > 0;
    if (!again && this.#turn.addTexts(delta)) return undefined;
    const members = membersOf(textAt(event.data!, DELTA) ?? "{}");
    const json = objectOf(members);
    const shown = this.#turn.add(json, () => this.#client.nextIndex());
    if (again) shown.delete("role");
    const edited = objectOf(shown);
    return edited === json ? undefined : edited;
  }

  /** The event with `data`, under the first round's id. */
  #named(event: RawEvent, data: string): Uint8Array {
    const isOther = this.#all.id !== undefined && this.#log.continued > 0;
    return withData(event, isOther ? setAt(data, ["id"], this.#all.id!) : data);
  }

  /** Whether the client's stream differs, or will if a call turns out to be a retrieval. */
  get #isEdited(): boolean {
    return this.#client.touched || this.#turn.isUndecided;
  }

  end(isLast: boolean): ReadStream | string {
    if (this.#finish === undefined) {
      return "the stream ended within a completion";
    }
    const end = this.#log.end(this.#turn.whole(), this.#finish, isLast);
    if (!end.continues) {
      return { ...end, usage: this.#usage, lastWords: this.#filler() };
    }
    if (!this.#client.isWhole) return "an event could not be read";
    return { ...end, usage: this.#usage, lastWords: this.#lastWords() };
  }

  /** Says what the message has instead of nothing. */
  #filler(): readonly Uint8Array[] {
    const { filler } = this.#log;
    const event = this.#client.tail.find(({ data }) =>
      data !== undefined && textAt(data, DELTA) !== undefined
    );
    if (filler === undefined || event === undefined) return [];
    const members = membersOf(event.data!);
    members.delete("usage");
    const choice = {
      index: 0,
      delta: { content: filler },
      finish_reason: null,
    };
    members.set("choices", JSON.stringify([choice]));
    return [this.#named(event, objectOf(members))];
  }

  /** What the held-back events say besides that the round is over. */
  #lastWords(): readonly Uint8Array[] {
    return this.#client.tail.map((event) => {
      const delta = objectOr(parseJson(textAt(event.data!, DELTA) ?? "null"));
      return isEmpty(delta)
        ? NOTHING
        : this.#named(event, setAt(event.data!, FINISH, "null"));
    });
  }

  final(event: RawEvent, usage: string | undefined): Uint8Array {
    const value = parseJson(event.data!);
    if (!isJsonObject(value)) return event.raw;
    const choices = value.choices;
    const isUsage = !Array.isArray(choices) || choices.length === 0;
    if (isUsage && !this.#all.options.includeUsage) return NOTHING;
    const data = this.#log.isCut && !isUsage
      ? setAt(event.data!, FINISH, '"stop"')
      : event.data!;
    if (!isJsonObject(value.usage) || usage === undefined) {
      return this.#named(event, data);
    }
    return this.#named(event, setAt(data, ["usage"], usage));
  }
}

/** Whether a delta says nothing. */
function isEmpty(delta: Readonly<Record<string, unknown>>): boolean {
  return Object.values(delta).every((value) => value === null || value === "");
}
