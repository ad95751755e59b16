/** What the model said in the rounds of one response, and what is kept of it. @module */
import {
  elementsOf,
  membersOf,
  objectOf,
  objectOr,
  parseJson,
  textOr,
} from "../../bytes/json_parts.ts";
import { textAnchor, turnDigest } from "../../bytes/turn_anchor.ts";
import {
  type AnsweredRetrieval,
  type ProviderError,
  RETRIEVAL_TOOL,
  type RetrievalAnswer,
  retrievalArguments,
  type RetrievalCall,
} from "../../core/retrieval.ts";
import type { UsageMembers } from "../../sse/splicer.ts";
import type { TurnPart } from "../beside_calls.ts";
import { openAiError } from "../error_body.ts";
import { type Asked, NOTHING_ASKED, TurnRounds } from "../turn_rounds.ts";

/** Members of `usage` when rounds are joined. */
export const USAGE: UsageMembers = {
  summed: ["completion_tokens", "completion_tokens_details"],
  total: ["total_tokens", "prompt_tokens", "completion_tokens"],
};

/** Finish reasons of a turn whose calls are whole; some providers say `stop` beside calls. */
const WHOLE = new Set<unknown>(["tool_calls", "stop", "function_call"]);

/** Contents that say nothing: JSON. */
const EMPTY = new Set(["null", '""', "[]"]);

/** One entry of `tool_calls`. */
export interface TurnCall extends TurnPart {
  /** Its arguments, as text. */
  readonly args: string;
}

/** Reads one entry of `tool_calls`. */
export function turnCall(json: string): TurnCall {
  const value = objectOr(parseJson(json));
  const called = objectOr(value.function);
  return {
    json,
    id: textOr(value.id),
    calls: called.name === RETRIEVAL_TOOL ? "proxy" : "client",
    args: textOr(called.arguments),
  };
}

/** An assistant message. */
export interface Turn {
  /** All members but `tool_calls`, as produced. */
  readonly members: ReadonlyMap<string, string>;
  /** Its calls. */
  readonly calls: readonly TurnCall[];
}

/**
 * Reads an assistant message.
 * @throws {SyntaxError} If `json` is not an object.
 */
export function turnOf(json: string): Turn {
  const members = membersOf(json);
  const calls = members.get("tool_calls") ?? "null";
  members.delete("tool_calls");
  return {
    members,
    calls: calls.startsWith("[") ? elementsOf(calls).map(turnCall) : [],
  };
}

/** Writes an assistant message. */
export function turnJson({ members, calls }: Turn): string {
  const whole = new Map(members);
  if (calls.length > 0) {
    whole.set("tool_calls", `[${calls.map(({ json }) => json).join(",")}]`);
  }
  return objectOf(whole);
}

/**
 * The best name under which a message can be found again; `undefined` when it has none.
 *
 * @param turn What the client sees.
 * @param context What the message answers, see {@linkcode RetrievalFormat.turnContext}.
 */
function anchorOf(
  turn: Turn,
  context: string | undefined,
): string | undefined {
  const call = turn.calls.find(({ id }) => id !== "");
  if (call) return `call:${call.id}`;
  const text = turnDigest(contentOf(turn));
  return text === "" || context === undefined
    ? undefined
    : textAnchor(text, context);
}

/** Content as text; empty for `null` and for shapes other than a string. */
export function contentOf({ members }: Turn): string {
  return textOr(parseJson(members.get("content") ?? "null"));
}

/** Collects the rounds of one response. */
export class TurnLog extends TurnRounds<TurnCall> {
  protected readonly format = "chat_completions";
  readonly #turns: Turn[] = [];

  /** Notes what a round said; with `isLast` none may follow. */
  end(
    turn: Turn,
    finish: unknown,
    isLast = false,
  ): Asked {
    this.#turns.push(turn);
    if (WHOLE.has(finish)) {
      const isSaid = () => contentOf(this.shown()) !== "";
      return this.asked(turn.calls, isLast, isSaid);
    }
    const text = this.filled(turn.calls, finish, () => {
      const { members, calls } = this.shown();
      return EMPTY.has(members.get("content") ?? "null") && calls.length === 0;
    });
    if (text !== undefined) {
      const filled = new Map(turn.members);
      filled.set("content", JSON.stringify(text));
      this.#turns[this.#turns.length - 1] = { ...turn, members: filled };
    }
    return NOTHING_ASKED;
  }

  /** Answers the last round; returns its messages, separated by commas. */
  answer(answers: readonly RetrievalAnswer[]): string {
    return this.continue(turnJson(this.#turns.at(-1)!), answers);
  }

  /** The message that the client sees: all rounds in one, without our calls. */
  shown(): Turn {
    const members = new Map(this.#turns.at(-1)!.members);
    for (const earlier of this.#turns.slice(0, -1).reverse()) {
      for (const [key, value] of earlier.members) {
        if (key === "role") continue;
        members.set(key, followed(value, members.get(key)));
      }
    }
    const calls = this.#turns.flatMap(({ calls }) => calls);
    return { members, calls: calls.filter(({ calls }) => calls === "client") };
  }

  /** See {@linkcode RoundLog.records}. */
  records(answers: readonly RetrievalAnswer[]): readonly AnsweredRetrieval[] {
    return this.kept(answers, () => {
      const { members, calls } = this.#turns.at(-1)!;
      return {
        anchor: anchorOf(this.shown(), this.context),
        last: [turnJson({ members, calls: [] })],
        parts: calls,
      };
    });
  }

  protected callOf({ id, args }: TurnCall): RetrievalCall {
    const wanted = retrievalArguments(objectOr(parseJson(args)));
    return { callId: id, wanted };
  }

  protected result({ call, content }: RetrievalAnswer): string {
    const id = JSON.stringify(call.callId);
    return `{"role":"tool","tool_call_id":${id},"content":${
      JSON.stringify(content)
    }}`;
  }
}

/** Joins two rounds' values of one member: texts and lists in order, else the later one. */
function followed(first: string, then: string | undefined): string {
  if (then === undefined || then === "null") return first;
  const [a, b] = [parseJson(first), parseJson(then)];
  if (typeof a === "string" && typeof b === "string") {
    return JSON.stringify(a + b);
  }
  return Array.isArray(a) && Array.isArray(b)
    ? `[${[...elementsOf(first), ...elementsOf(then)].join(",")}]`
    : then;
}

/** This family's error, as a body or as the data of an event; `said` is the provider's. */
export function errorJson(message: string, said?: ProviderError): string {
  return said ? JSON.stringify({ error: said }) : openAiError(500, message);
}
