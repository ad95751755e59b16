/** Items of a responses conversation: who must answer them, and which two are the same. @module */
import { objectOr, parseJson, textOr } from "../../bytes/json_parts.ts";
import { turnDigest } from "../../bytes/turn_anchor.ts";
import { RETRIEVAL_TOOL } from "../../core/retrieval.ts";
import type { TurnElement } from "../turn_rounds.ts";

/**
 * Reads the items of one turn. A call that the turn itself answers was run by the provider.
 *
 * @param findsTools Whether searches for tools are the proxy's to answer.
 */
export function turnItems(
  items: readonly string[],
  findsTools: boolean,
): readonly TurnElement[] {
  const values = items.map((json) => objectOr(parseJson(json)));
  const answered = new Set(
    values.filter(({ type }) => textOr(type).endsWith("_output"))
      .map(({ call_id }) => call_id),
  );
  return values.map((value, i) => ({
    json: items[i]!,
    value,
    id: textOr(value.call_id) || textOr(value.id),
    calls: isOurs(value, findsTools)
      ? "proxy"
      : isClientCall(value) && !answered.has(value.call_id)
      ? "client"
      : undefined,
  }));
}

/** Whether an item calls a tool of ours. */
export function isOurs(
  { type, name, execution }: Readonly<Record<string, unknown>>,
  findsTools: boolean,
): boolean {
  return type === "function_call" && name === RETRIEVAL_TOOL ||
    findsTools && type === "tool_search_call" && execution === "client";
}

function isClientCall(value: Readonly<Record<string, unknown>>): boolean {
  const type = textOr(value.type);
  return type === "mcp_approval_request" ||
    (type.endsWith("_call") && typeof value.call_id === "string");
}

/** Id of the call that an item answers; empty when it answers none. */
export function answeredBy(value: Readonly<Record<string, unknown>>): string {
  if (value.type === "mcp_approval_response") {
    return textOr(value.approval_request_id);
  }
  return textOr(value.type).endsWith("_output") ? textOr(value.call_id) : "";
}

/** What clients keep of an item when they send it back: some drop ids, some send only those. */
export interface ItemIdentity {
  /** Its `type`; `message` for a message without one. */
  readonly type: string;
  /** Its `id`; empty when it has none. */
  readonly id: string;
  /** Its `call_id`. */
  readonly call: string;
  /** Digest of its encrypted reasoning. */
  readonly signature: string;
  /** Digest of its text. */
  readonly text: string;
}

/** The identity of an item. */
export function identityOf(
  value: Readonly<Record<string, unknown>>,
): ItemIdentity {
  return {
    type: textOr(value.type) || "message",
    id: textOr(value.id),
    call: textOr(value.call_id),
    signature: turnDigest(textOr(value.encrypted_content)),
    text: turnDigest(textOfParts(value.content) + textOfParts(value.summary)),
  };
}

/** The text of a `content` or a `summary`. */
export function textOfParts(parts: unknown): string {
  if (typeof parts === "string") return parts;
  return Array.isArray(parts)
    ? parts.map((part) => textOr(objectOr(part).text)).join("")
    : "";
}

/** Whether two identities are of one item. */
export function isSameItem(a: ItemIdentity, b: ItemIdentity): boolean {
  if (a.type === "item_reference" || b.type === "item_reference") {
    return a.id !== "" && a.id === b.id;
  }
  if (a.type !== b.type) return false;
  for (const key of ["call", "signature"] as const) {
    if (a[key] !== "" && b[key] !== "") return a[key] === b[key];
  }
  // Two answers to one request may say the same.
  const isOtherId = a.id !== "" && b.id !== "" && a.id !== b.id;
  if (a.type === "message") return a.text === b.text && !isOtherId;
  return a.id !== "" && b.id !== "" ? !isOtherId : a.text === b.text;
}
