/** A chat completion that is an event stream. @module */
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
import { withoutUsage } from "../added_usage.ts";
import { StreamedTurn } from "./retrieval_delta.ts";
import { errorJson, TurnLog, USAGE } from "./retrieval_turn.ts";

const utf8 = new TextEncoder();
const DELTA = ["choices", 0, "delta"] as const;
const FINISH = ["choices", 0, "finish_reason"] as const;

/** What one round has said so far. */
interface Round {
  readonly splitter: EventSplitter;
  readonly turn: StreamedTurn;
  /** Events that end the completion, held back once the client's stream differs. */
  readonly tail: RawEvent[];
  usage: string | undefined;
  finish: unknown;
  /** Whether all its events could be read. */
  isWhole: boolean;
}

/** Events that wait, as received and as the client gets them beside a retrieval. */
class Waiting {
  #raw: Uint8Array[] = [];
  #edited: Uint8Array[] = [];

  add(raw: Uint8Array, edited: Uint8Array): void {
    this.#raw.push(raw);
    this.#edited.push(edited);
  }

  take(which: "raw" | "edited"): readonly Uint8Array[] {
    const taken = which === "raw" ? this.#raw : this.#edited;
    this.#raw = [];
    this.#edited = [];
    return taken;
  }
}

/** Follows a streamed response. Only retrievals and the completion's end are ever held back. */
export class StreamExchange implements RetrievalExchange {
  /** A comment: clients skip it. */
  readonly ping: Uint8Array = utf8.encode(": ping\n\n");
  readonly #log: TurnLog;
  readonly #includeUsage: boolean;
  readonly #hidesUsage: boolean;
  readonly #usage = new RoundsUsage(USAGE);
  /** What the client gets next, once it is known whether a call without a name is a retrieval. */
  readonly #waiting = new Waiting();
  #round = newRound();
  #id: string | undefined;
  #shown = 0;
  #touched = false;
  #failed = false;

  /** Starts with the first round. */
  constructor(options: ExchangeOptions) {
    this.#log = new TurnLog(options);
    this.#includeUsage = options.includeUsage;
    this.#hidesUsage = options.hidesUsage ?? false;
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

  #take(received: RawEvent): Uint8Array {
    const event = this.#hidesUsage ? withoutUsage(received) : received;
    if (event === undefined) return NOTHING;
    const shown = this.#shownOrRaw(event);
    if (this.#touched) return joined([...this.#waiting.take("edited"), shown]);
    const isOver = this.#failed || event.data === "[DONE]";
    if (this.#round.turn.isUndecided && !isOver) {
      this.#waiting.add(event.raw, shown);
      return NOTHING;
    }
    return joined([...this.#asItCame(), event.raw]);
  }

  /** What waits, as the provider sent it: no call in it is a retrieval. */
  #asItCame(): readonly Uint8Array[] {
    this.#round.turn.giveUpNameless(() => this.#shown++);
    this.#round.tail.splice(0);
    return this.#waiting.take("raw");
  }

  #shownOrRaw(event: RawEvent): Uint8Array {
    try {
      return this.#read(event);
    } catch (error) {
      this.#round.isWhole = false;
      return asItCame(event, error, this.#touched);
    }
  }

  #read(event: RawEvent): Uint8Array {
    if (event.data === undefined) return event.raw;
    if (event.data === "[DONE]") return this.#end(event);
    const value = objectOr(parseJson(event.data));
    if (isJsonObject(value.error)) {
      this.#failed = true;
      return event.raw;
    }
    this.#id ??= textAt(event.data, ["id"]);
    const hasUsage = isJsonObject(value.usage);
    if (hasUsage) this.#round.usage = textAt(event.data, ["usage"]);
    if (Array.isArray(value.choices) && value.choices.length > 0) {
      return this.#choice(event, objectOr(value.choices[0]));
    }
    if (hasUsage) return this.#end(event);
    return this.#log.continued === 0 ? event.raw : NOTHING;
  }

  #choice(event: RawEvent, choice: Record<string, unknown>): Uint8Array {
    const delta = this.#shownOf(event, choice);
    this.#touched ||= this.#round.turn.retrieves;
    const ends = typeof choice.finish_reason === "string";
    if (ends) this.#round.finish ??= choice.finish_reason;
    if (!this.#isEdited) return event.raw;
    const data = delta === undefined
      ? event.data!
      : setAt(event.data!, DELTA, delta);
    if (ends) return this.#end({ raw: withData(event, data), data });
    const shown = objectOr(delta ? parseJson(delta) : choice.delta);
    return isEmpty(shown) ? NOTHING : this.#named(event, data);
  }

  /** Takes a choice's delta; returns what the client sees of it, `undefined` for all. */
  #shownOf(
    event: RawEvent,
    choice: Record<string, unknown>,
  ): string | undefined {
    const { turn } = this.#round;
    const delta = objectOr(choice.delta);
    const again = delta.role !== undefined && this.#log.continued > 0;
    if (!again && turn.addTexts(delta)) return undefined;
    const members = membersOf(textAt(event.data!, DELTA) ?? "{}");
    const json = objectOf(members);
    const shown = turn.add(json, () => this.#shown++);
    if (again) shown.delete("role");
    const edited = objectOf(shown);
    return edited === json ? undefined : edited;
  }

  /** The event with `data`, under the first round's id. */
  #named(event: RawEvent, data: string): Uint8Array {
    const isOther = this.#id !== undefined && this.#log.continued > 0;
    return withData(event, isOther ? setAt(data, ["id"], this.#id!) : data);
  }

  #end(event: RawEvent): Uint8Array {
    if (!this.#isEdited) return event.raw;
    this.#round.tail.push(event);
    return NOTHING;
  }

  /** Whether the client's stream differs, or will if a call turns out to be a retrieval. */
  get #isEdited(): boolean {
    return this.#touched || this.#round.turn.isUndecided;
  }

  /** See {@linkcode RetrievalExchange.endRound}. */
  endRound(isLast = false): RoundEnd {
    const last = this.#round.splitter.end();
    const taken = last.map((event) => this.#take(event));
    const bytes = joined(
      this.#touched ? taken : [...taken, ...this.#asItCame()],
    );
    if (this.#failed || !this.#touched) {
      return { calls: [], continues: false, bytes };
    }
    const { finish, isWhole, turn, usage } = this.#round;
    if (finish === undefined) {
      throw notRebuilt("the stream ended within a completion");
    }
    this.#usage.add(usage);
    const end = this.#log.end(turn.whole(), finish, isLast);
    if (end.continues && !isWhole) {
      throw notRebuilt("an event could not be read");
    }
    return {
      ...end,
      bytes: end.continues ? joined([bytes, ...this.#lastWords()]) : bytes,
    };
  }

  /** What the held-back events say besides that the round is over. */
  #lastWords(): readonly Uint8Array[] {
    return this.#round.tail.map((event) => {
      const delta = objectOr(parseJson(textAt(event.data!, DELTA) ?? "null"));
      return isEmpty(delta)
        ? NOTHING
        : this.#named(event, setAt(event.data!, FINISH, "null"));
    });
  }

  /** See {@linkcode RetrievalExchange.rest}. */
  rest(): Uint8Array {
    const cutOff = this.#round.splitter.end().map(({ raw }) => raw);
    return joined([...this.#waiting.take("raw"), ...cutOff]);
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
    const value = parseJson(event.data!);
    if (!isJsonObject(value)) return event.raw;
    const choices = value.choices;
    const isUsage = !Array.isArray(choices) || choices.length === 0;
    if (isUsage && !this.#includeUsage) return NOTHING;
    const data = this.#log.isCut && !isUsage
      ? setAt(event.data!, FINISH, '"stop"')
      : event.data!;
    const usage = this.#usage.joined;
    if (!isJsonObject(value.usage) || usage === undefined) {
      return this.#named(event, data);
    }
    return this.#named(event, setAt(data, ["usage"], usage));
  }

  /** See {@linkcode RetrievalExchange.failure}. */
  failure(message: string): Uint8Array {
    return eventOf(undefined, errorJson(message));
  }
}

function newRound(): Round {
  return {
    splitter: new EventSplitter(),
    turn: new StreamedTurn(),
    tail: [],
    usage: undefined,
    finish: undefined,
    isWhole: true,
  };
}

/** Whether a delta says nothing. */
function isEmpty(delta: Readonly<Record<string, unknown>>): boolean {
  return Object.values(delta).every((value) => value === null || value === "");
}
