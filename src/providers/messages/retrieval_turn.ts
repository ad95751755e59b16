/** What the model said in the rounds of one response, and what is kept of it. @module */
import { objectOr, parseJson, textOr } from "../../bytes/json_parts.ts";
import { textAnchor, turnDigest } from "../../bytes/turn_anchor.ts";
import {
  type AnsweredRetrieval,
  isOwnTool,
  type ProviderError,
  type RetrievalAnswer,
  retrievalArguments,
  type RetrievalCall,
  SEARCH_TOOL,
} from "../../core/retrieval.ts";
import type { UsageMembers } from "../../sse/splicer.ts";
import type { TurnPart } from "../beside_calls.ts";
import {
  type Asked,
  NOTHING_ASKED,
  TurnRounds,
  unsaid,
} from "../turn_rounds.ts";

/** Members of `usage` when rounds are joined. */
export const USAGE: UsageMembers = {
  summed: ["output_tokens", "output_tokens_details", "server_tool_use"],
};

/** One content block of an assistant message. */
export interface TurnBlock {
  /** As produced. */
  readonly json: string;
  /** Parsed. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Who must answer it: the proxy, the client, or nobody. */
  readonly calls: "proxy" | "client" | undefined;
}

/** Reads a block. */
export function turnBlock(json: string): TurnBlock {
  const value = objectOr(parseJson(json));
  if (value.type !== "tool_use") return { json, value, calls: undefined };
  return {
    json,
    value,
    calls: isOwnTool(value.name) ? "proxy" : "client",
  };
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
export function anchorOf(
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

function partOf({ json, value, calls }: TurnBlock): TurnPart {
  return { json, id: textOr(value.id), calls };
}

/** Collects the rounds of one response. */
export class TurnLog extends TurnRounds {
  readonly #shown: TurnBlock[] = [];
  #last: readonly TurnBlock[] = [];
  #filler: string | undefined;

  /** Text that stands last in {@linkcode shown} since nothing else is said there; `undefined` where something is. */
  get filler(): string | undefined {
    return this.#filler;
  }

  /** Blocks that the client sees, of all rounds. */
  get shown(): readonly TurnBlock[] {
    return this.#shown;
  }

  /** Notes what a round said; with `isLast` none may follow. */
  end(
    blocks: readonly TurnBlock[],
    stop: unknown,
    isLast = false,
  ): Asked {
    this.#last = blocks;
    this.#shown.push(...blocks.filter(({ calls }) => calls !== "proxy"));
    // Any other reason (`max_tokens`, `refusal`, …) ends the turn whatever it asked for.
    if (stop !== "tool_use" && stop !== "end_turn") {
      this.#fill(stop);
      return NOTHING_ASKED;
    }
    const asked = this.asked(blocks, ({ value }) => ({
      callId: textOr(value.id),
      wanted: wantedBy(value),
    }));
    const isSaid = ({ value }: TurnBlock) =>
      value.type === "text" && !isEmptyText(value);
    return asked.continues && isLast
      ? this.cut(this.#shown.some(isSaid))
      : asked;
  }

  /** A message of which we hid all must not be empty. */
  #fill(stop: unknown): void {
    const hidesAny = this.continued > 0 ||
      this.#last.some(({ calls }) => calls === "proxy");
    if (!hidesAny || !this.#shown.every(({ value }) => isEmptyText(value))) {
      return;
    }
    this.#filler = unsaid(stop);
    const block = { type: "text", text: this.#filler };
    this.#shown.push(turnBlock(JSON.stringify(block)));
  }

  /** Answers the last round; returns both messages, separated by a comma. */
  answer(answers: readonly RetrievalAnswer[]): string {
    this.noteLoads(answers);
    const content = this.#last.filter(({ value }) => !isEmptyText(value));
    return this.continue(
      message("assistant", content.map(({ json }) => json)),
      message("user", answers.map(result)),
    );
  }

  /**
   * What is kept of the response; nothing when it answered nothing or cannot be found again.
   *
   * @param answers Answers to the last round's calls.
   */
  records(answers: readonly RetrievalAnswer[]): readonly AnsweredRetrieval[] {
    this.noteLoads(answers);
    return this.kept("messages", answers.map(result), () => ({
      anchor: anchorOf(this.#shown.map(({ value }) => value), this.context),
      last: [],
      parts: this.#last.map(partOf),
    }));
  }
}

function message(role: string, content: readonly string[]): string {
  return `{"role":"${role}","content":[${content.join(",")}]}`;
}

function wantedBy(
  { name, input }: Readonly<Record<string, unknown>>,
): RetrievalCall["wanted"] {
  const given = objectOr(input);
  return name === SEARCH_TOOL
    ? { tools: textOr(given.query) }
    : retrievalArguments(given);
}

/** References: https://docs.claude.com/en/docs/agents-and-tools/tool-use/tool-search-tool. */
function result({ call, content, loads }: RetrievalAnswer): string {
  const given = loads?.map(({ name }) => ({
    type: "tool_reference",
    tool_name: name,
  })) ?? content;
  const id = JSON.stringify(call.callId);
  return `{"type":"tool_result","tool_use_id":${id},"content":${
    JSON.stringify(given)
  }}`;
}

/** This family's error, as a body or as the data of an event; `said` is the provider's. */
export function errorJson(message: string, said?: ProviderError): string {
  const error = said ?? { type: "api_error", message };
  return JSON.stringify({ type: "error", error });
}
