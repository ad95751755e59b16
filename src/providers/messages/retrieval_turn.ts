/** What the model said in the rounds of one response, and what is kept of it. @module */
import { objectOr, parseJson, textOr } from "../../bytes/json_parts.ts";
import { textAnchor, turnDigest } from "../../bytes/turn_anchor.ts";
import { SEARCH_TOOL } from "../../core/deferral.ts";
import {
  type AnsweredRetrieval,
  isOwnTool,
  type ProviderError,
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

/** Members of `usage` when rounds are joined. */
export const USAGE: UsageMembers = {
  summed: ["output_tokens", "output_tokens_details", "server_tool_use"],
};

/** Reads a content block of an assistant message. */
export function turnBlock(json: string): TurnElement {
  const value = objectOr(parseJson(json));
  const called = isOwnTool(value.name) ? "proxy" : "client";
  const calls = value.type === "tool_use" ? called : undefined;
  return { json, value, id: textOr(value.id), calls };
}

/** Whether two blocks say the same, however they are written and whether or not one is marked for caching. */
export function isSameBlock(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): boolean {
  return canonical({ ...a, cache_control: null }) ===
    canonical({ ...b, cache_control: null });
}

/** Whether the provider would refuse the block, so that clients leave it out. */
export function isEmptyText(
  { type, text }: Readonly<Record<string, unknown>>,
): boolean {
  return type === "text" && text === "";
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) {
      return inner;
    }
    const members = Object.entries(inner).filter(([, v]) => v !== null);
    return Object.fromEntries(members.sort(([a], [b]) => a < b ? -1 : 1));
  });
}

/**
 * The best name under which a message of these blocks can be found again; `undefined` when it has none.
 *
 * @param context What the message answers, see {@linkcode RetrievalFormat.turnContext}.
 */
function anchorOf(
  blocks: readonly Readonly<Record<string, unknown>>[],
  context: string | undefined,
): string | undefined {
  const call = blocks.find(({ type, id }) =>
    type === "tool_use" && textOr(id) !== ""
  );
  if (call) return `call:${textOr(call.id)}`;
  const signature = blocks.map((block) =>
    textOr(block.type === "redacted_thinking" ? block.data : block.signature)
  ).find((signature) => signature !== "");
  if (signature !== undefined) return `signature:${turnDigest(signature)}`;
  const text = turnDigest(blocks.map(({ text }) => textOr(text)).join(""));
  return text === "" || context === undefined
    ? undefined
    : textAnchor(text, context);
}

/** Collects the rounds of one response. */
export class TurnLog extends ElementRounds {
  protected readonly format = "messages";

  /** Notes what a round said; with `isLast` none may follow. */
  end(
    blocks: readonly TurnElement[],
    stop: unknown,
    isLast = false,
  ): Asked {
    this.take(blocks);
    if (stop === "tool_use" || stop === "end_turn") {
      const isSaid = ({ value }: TurnElement) =>
        value.type === "text" && !isEmptyText(value);
      return this.asked(blocks, isLast, () => this.shown.some(isSaid));
    }
    // Any other reason (`max_tokens`, `refusal`, …) ends the turn whatever it asked for.
    const text = this.filled(
      blocks,
      stop,
      () => this.shown.every(({ value }) => isEmptyText(value)),
    );
    if (text !== undefined) {
      this.shown.push(turnBlock(JSON.stringify({ type: "text", text })));
    }
    return NOTHING_ASKED;
  }

  /** Answers the last round; returns both messages, separated by a comma. */
  answer(answers: readonly RetrievalAnswer[]): string {
    const content = this.last.filter(({ value }) => !isEmptyText(value));
    return this.continue(
      message("assistant", content.map(({ json }) => json).join(",")),
      answers,
      (results) => message("user", results),
    );
  }

  /** See {@linkcode RoundLog.records}. */
  records(answers: readonly RetrievalAnswer[]): readonly AnsweredRetrieval[] {
    return this.kept(answers, () => ({
      anchor: anchorOf(this.shown.map(({ value }) => value), this.context),
      last: [],
      parts: this.last,
    }));
  }

  protected callOf({ id, value }: TurnElement): RetrievalCall {
    const given = objectOr(value.input);
    const wanted = value.name === SEARCH_TOOL
      ? { tools: textOr(given.query) }
      : retrievalArguments(given);
    return { callId: id, wanted };
  }

  // References: https://docs.claude.com/en/docs/agents-and-tools/tool-use/tool-search-tool.
  protected result({ call, content, loads }: RetrievalAnswer): string {
    const given = loads?.map(({ name }) => ({
      type: "tool_reference",
      tool_name: name,
    })) ?? content;
    const id = JSON.stringify(call.callId);
    return `{"type":"tool_result","tool_use_id":${id},"content":${
      JSON.stringify(given)
    }}`;
  }
}

function message(role: string, content: string): string {
  return `{"role":"${role}","content":[${content}]}`;
}

/** This family's error, as a body or as the data of an event; `said` is the provider's. */
export function errorJson(message: string, said?: ProviderError): string {
  const error = said ?? { type: "api_error", message };
  return JSON.stringify({ type: "error", error });
}
