/** What the model said in the rounds of one response, and what is kept of it. @module */
import { objectOr, parseJson, textOr } from "../../bytes/json_parts.ts";
import { textAnchor } from "../../bytes/turn_anchor.ts";
import {
  type AnsweredRetrieval,
  type ExchangeEnd,
  type RetrievalAnswer,
  retrievalArguments,
  type RetrievalCall,
} from "../../core/retrieval.ts";
import type { UsageMembers } from "../../sse/splicer.ts";
import {
  type Asked,
  ElementRounds,
  NOTHING_ASKED,
  type TurnElement,
} from "../turn_rounds.ts";
import {
  identityOf,
  type ItemIdentity,
  textOfParts,
} from "./retrieval_item.ts";

/** Members of `usage` when rounds are joined. */
export const USAGE: UsageMembers = {
  summed: ["output_tokens", "output_tokens_details"],
  total: ["total_tokens", "input_tokens", "output_tokens"],
};

/** The item by which a turn is found again. */
export interface ItemAnchor {
  /** What names it. */
  readonly kind: "call" | "signature" | "text" | "id";
  /** Its position among the items that the client saw. */
  readonly index: number;
}

/**
 * Picks the anchor of a turn: a call of the last round, reasoning, a message, any id.
 *
 * @param seen All items that the client saw. @param from Index of the last round's first one.
 */
export function anchorOf(
  seen: readonly ItemIdentity[],
  from: number,
): ItemAnchor | undefined {
  const order = seen.map((item, index) => ({ item, index }));
  const lastFirst = [...order.slice(from), ...order.slice(0, from)];
  for (const kind of ["call", "signature", "text", "id"] as const) {
    const found = lastFirst.find(({ item }) => item[kind] !== "");
    if (found) return { kind, index: found.index };
  }
  return undefined;
}

/**
 * Names of an item, see {@linkcode AnsweredRetrieval.anchor}: clients keep what the model gave it, or
 * only its id.
 */
function namesOf(
  item: ItemIdentity,
  kind: ItemAnchor["kind"],
  context: string | undefined,
): readonly string[] {
  const names = item.id === "" ? [] : [`id:${item.id}`];
  if (kind === "id") return names;
  if (kind !== "text") return [`${kind}:${item[kind]}`, ...names];
  return context === undefined
    ? names
    : [textAnchor(item.text, context), ...names];
}

/** Collects the rounds of one response. */
export class TurnLog extends ElementRounds {
  protected readonly format = "responses";
  readonly #ids: string[] = [];
  #isStored = true;

  /** Response id that the client sees. */
  get shownId(): string {
    return this.#ids[0] ?? "";
  }

  /** See {@linkcode ExchangeEnd.responseId}. */
  get responseId(): ExchangeEnd["responseId"] {
    const seen = this.shownId;
    const last = this.#ids.at(-1) ?? "";
    return seen === last ? undefined : { seen, last };
  }

  /**
   * Notes what a round said.
   *
   * @param response The response object at its end.
   */
  end(
    items: readonly TurnElement[],
    { id, status, store }: Readonly<Record<string, unknown>>,
    isLast = false,
  ): Asked {
    this.take(items);
    this.#ids.push(textOr(id));
    this.#isStored = store !== false;
    const isSaid = ({ value }: TurnElement) => value.type === "message";
    return status === "completed"
      ? this.asked(items, isLast, () => this.shown.some(isSaid))
      : NOTHING_ASKED;
  }

  /** Answers the last round; returns its items, separated by commas. */
  answer(answers: readonly RetrievalAnswer[]): string {
    // Without stored state the provider knows reasoning only by its encrypted content, or by its text.
    const known = this.last.filter(({ value }) =>
      this.#isStored || value.type !== "reasoning" ||
      textOr(value.encrypted_content) !== "" ||
      textOfParts(value.content) !== ""
    );
    return this.continue(known.map(({ json }) => json).join(","), answers);
  }

  /** See {@linkcode RoundLog.records}. */
  records(answers: readonly RetrievalAnswer[]): readonly AnsweredRetrieval[] {
    return this.kept(answers, () => {
      const last = this.last.filter(({ calls }) => calls !== "proxy");
      const seen = this.shown.map(({ value }) => identityOf(value));
      const from = seen.length - last.length;
      const found = anchorOf(seen, from);
      const names = found
        ? namesOf(seen[found.index]!, found.kind, this.context)
        : [];
      return {
        anchor: names.length === 0 ? undefined : names.join("\n"),
        last: seen.slice(from).map((identity) => JSON.stringify(identity)),
        parts: this.last,
      };
    });
  }

  protected callOf({ value }: TurnElement): RetrievalCall {
    // The arguments of a search are an object, those of a function its text.
    const { type, arguments: given } = value;
    const values = objectOr(
      typeof given === "string" ? parseJson(given) : given,
    );
    const wanted = type === "tool_search_call"
      ? { tools: textOr(values.query) }
      : retrievalArguments(values);
    return { callId: textOr(value.call_id), wanted };
  }

  protected result({ call, content, loads = [] }: RetrievalAnswer): string {
    const id = JSON.stringify(call.callId);
    if ("tools" in call.wanted) {
      const tools = loads.map(({ definition }) =>
        definition.replace("{", '{"defer_loading":true,')
      );
      return `{"type":"tool_search_output","call_id":${id},"execution":"client","status":"completed","tools":[${tools}]}`;
    }
    return `{"type":"function_call_output","call_id":${id},"output":${
      JSON.stringify(content)
    }}`;
  }
}
