/** The rounds of one response, and what is kept of them: what is the same in every format. @module */
import { forkAnchor } from "../bytes/turn_anchor.ts";
import {
  type AnsweredRetrieval,
  type AnsweredRound,
  type AnsweredTurn,
  type ExchangeOptions,
  notRebuilt,
  type RetrievalAnswer,
  type RetrievalCall,
  type RoundEnd,
} from "../core/retrieval.ts";
import { besideOf, type TurnPart } from "./beside_calls.ts";

/** What must be known of the request. */
export type TurnFacts = Pick<
  ExchangeOptions,
  "conversationLength" | "context"
>;

/** What a round asked for. */
export type Asked = Omit<RoundEnd, "bytes">;

/** Asks for nothing: the response ends there. */
export const NOTHING_ASKED: Asked = { calls: [], continues: false };

/** A turn, as far as it is kept. */
interface KeptTurn {
  /** See {@linkcode AnsweredRetrieval.anchor}; `undefined` if it cannot be found again. */
  readonly anchor: string | undefined;
  /** See {@linkcode AnsweredTurn.last}. */
  readonly last: readonly string[];
  /** Of the last round. */
  readonly parts: readonly TurnPart[];
}

/** Collects the rounds of one response. */
export abstract class TurnRounds<Part extends TurnPart> {
  /** See {@linkcode ExchangeOptions.context}. */
  readonly context: string | undefined;
  /** Whether the last round asked for more than it may: the response ends there. */
  isCut = false;
  /** Text that the response ends with since nothing else is said in it; `undefined` where something is. */
  filler: string | undefined;
  /** {@linkcode ProviderFormat.id}. */
  protected abstract readonly format: string;
  readonly #at: number;
  readonly #rounds: AnsweredRound[] = [];
  readonly #loads = new Set<string>();

  /** Starts a response to a request of which these facts are known. */
  constructor({ conversationLength, context }: TurnFacts) {
    this.#at = conversationLength;
    this.context = context;
  }

  /** What a part asks for that calls a tool of ours. */
  protected abstract callOf(part: Part): RetrievalCall;

  /** Writes an answer: JSON. */
  protected abstract result(answer: RetrievalAnswer): string;

  /** Rounds that were continued. */
  get continued(): number {
    return this.#rounds.length;
  }

  /**
   * What a whole round of these parts asks for. It continues if it only retrieves; with `isLast` it may not.
   *
   * @param isSaid Whether the client has been told anything.
   * @throws {ServiceError} If the round may not continue, and nothing is said.
   */
  protected asked(
    parts: readonly Part[],
    isLast: boolean,
    isSaid: () => boolean,
  ): Asked {
    const ours = parts.filter(({ calls }) => calls === "proxy");
    const continues = ours.length > 0 &&
      parts.every(({ calls }) => calls !== "client");
    if (!continues || !isLast) {
      const calls = ours.map((part) => this.callOf(part));
      return { calls, continues };
    }
    if (!isSaid()) {
      throw notRebuilt(
        "the model made such calls again and again, and said nothing",
      );
    }
    this.isCut = true;
    return NOTHING_ASKED;
  }

  /**
   * Gives the {@linkcode filler} of a round that ended too early to be answered: providers refuse a message without
   * content when it comes back, so that one of which we hid all must have some.
   *
   * @param reason Why it ended, e.g. `max_tokens`.
   */
  protected filled(
    parts: readonly Part[],
    reason: unknown,
    isEmpty: () => boolean,
  ): string | undefined {
    const hidesAny = this.continued > 0 ||
      parts.some(({ calls }) => calls === "proxy");
    if (!hidesAny || !isEmpty()) return undefined;
    const why = typeof reason === "string" ? ` (${reason})` : "";
    return this.filler = `The answer ended before it had any text${why}.`;
  }

  /**
   * Notes a round that is continued; returns its elements and those that answer it, separated by commas.
   *
   * @param around Puts the results, separated by commas, into an element.
   */
  protected continue(
    turn: string,
    answers: readonly RetrievalAnswer[],
    around: (results: string) => string = (results) => results,
  ): string {
    const answer = around(this.#results(answers).join(","));
    this.#rounds.push({ turn, answer });
    return `${turn},${answer}`;
  }

  /** What is kept of the response, whose last calls have these answers; nothing when it answered nothing or cannot be found again. */
  protected kept(
    answers: readonly RetrievalAnswer[],
    turn: () => KeptTurn,
  ): readonly AnsweredRetrieval[] {
    const results = this.#results(answers);
    if (this.#rounds.length + results.length === 0) return [];
    const { anchor, last, parts } = turn();
    if (anchor === undefined) return [];
    const kept: AnsweredTurn = {
      at: this.#at,
      rounds: this.#rounds,
      last,
      beside: besideOf(parts, results),
      ...this.#loads.size > 0 && { loads: [...this.#loads] },
    };
    return [{
      anchor: forkAnchor(anchor, this.context),
      format: this.format,
      data: JSON.stringify(kept),
    }];
  }

  /** Writes the answers, and notes the deferred tools that they load. */
  #results(answers: readonly RetrievalAnswer[]): readonly string[] {
    for (const { name } of answers.flatMap(({ loads = [] }) => loads)) {
      this.#loads.add(name);
    }
    return answers.map((answer) => this.result(answer));
  }
}

/** An element of a turn that is a list: a block, or an item. */
export interface TurnElement extends TurnPart {
  /** Parsed. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** The rounds of a format whose turns are lists. */
export abstract class ElementRounds extends TurnRounds<TurnElement> {
  /** Elements that the client sees, of all rounds. */
  readonly shown: TurnElement[] = [];
  /** Those of the last round, ours too. */
  protected last: readonly TurnElement[] = [];

  /** Notes what a round said. */
  protected take(elements: readonly TurnElement[]): void {
    this.last = elements;
    this.shown.push(...elements.filter(({ calls }) => calls !== "proxy"));
  }
}
