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

/**
 * What the client gets in place of nothing where a turn that only calls our tools ended too early to be answered:
 * providers refuse a message without content when it comes back.
 *
 * @param reason Why it ended, e.g. `max_tokens`.
 */
export function unsaid(reason: unknown): string {
  const why = typeof reason === "string" ? ` (${reason})` : "";
  return `The answer ended before it had any text${why}.`;
}

/** A turn, as far as it is kept. */
export interface KeptTurn {
  /** See {@linkcode AnsweredRetrieval.anchor}; `undefined` if it cannot be found again. */
  readonly anchor: string | undefined;
  /** See {@linkcode AnsweredTurn.last}. */
  readonly last: readonly string[];
  /** Of the last round. */
  readonly parts: readonly TurnPart[];
}

/** Collects the rounds of one response. */
export class TurnRounds {
  /** See {@linkcode ExchangeOptions.context}. */
  readonly context: string | undefined;
  /** Whether the last round asked for more than it may: the response ends there. */
  isCut = false;
  readonly #at: number;
  readonly #rounds: AnsweredRound[] = [];
  readonly #loads = new Set<string>();

  /** Starts a response to a request of which these facts are known. */
  constructor({ conversationLength, context }: TurnFacts) {
    this.#at = conversationLength;
    this.context = context;
  }

  /** Rounds that were continued. */
  get continued(): number {
    return this.#rounds.length;
  }

  /** What a round of these parts asks for. It continues if it only retrieves. */
  asked<Part extends Pick<TurnPart, "calls">>(
    parts: readonly Part[],
    callOf: (part: Part) => RetrievalCall,
  ): Asked {
    const ours = parts.filter(({ calls }) => calls === "proxy");
    const continues = ours.length > 0 &&
      parts.every(({ calls }) => calls !== "client");
    return { calls: ours.map(callOf), continues };
  }

  /**
   * Ends a response that would go on and may not.
   * @throws {ServiceError} If nothing `isSaid` so far.
   */
  cut(isSaid: boolean): Asked {
    if (!isSaid) {
      throw notRebuilt(
        "the model made such calls again and again, and said nothing",
      );
    }
    this.isCut = true;
    return NOTHING_ASKED;
  }

  /** Notes a round that is continued; returns its elements and those that answer it, separated by commas. */
  continue(turn: string, answer: string): string {
    this.#rounds.push({ turn, answer });
    return `${turn},${answer}`;
  }

  /** Notes the deferred tools that these answers load. */
  noteLoads(answers: readonly RetrievalAnswer[]): void {
    for (const { name } of answers.flatMap(({ loads = [] }) => loads)) {
      this.#loads.add(name);
    }
  }

  /**
   * What is kept of the response in `format`; nothing when it answered nothing or cannot be found again.
   *
   * @param results Of the last round's calls: JSON.
   */
  kept(
    format: string,
    results: readonly string[],
    turn: () => KeptTurn,
  ): readonly AnsweredRetrieval[] {
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
      format,
      data: JSON.stringify(kept),
    }];
  }
}
