/** What a conversation says about itself, however its messages are written. @module */
import type { HookContext } from "./hooks.ts";
import type { MessageFormat } from "./shape.ts";
import { arrayAt, fieldOf } from "./shapes/look.ts";

/** Types of parts, in any shape, that hold a text of whoever speaks. */
const TEXT_PARTS: ReadonlySet<unknown> = new Set([
  "text",
  "input_text",
  "output_text",
]);

/** Types of parts and items, in any shape, that call a tool by its `name` or `toolName`. */
const CALL_PARTS: ReadonlySet<unknown> = new Set([
  "tool_use",
  "tool-call",
  "function_call",
  "custom_tool_call",
]);

/**
 * Finds the last text that the user said.
 *
 * @param messages Messages of any shape, oldest first.
 * @returns Its texts, separated by line feeds; empty when there is none.
 *
 * @example
 * ```ts
 * import { extractUserQuery } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const result = { type: "tool_result", tool_use_id: "t1", content: "3 failed" };
 * const messages = [
 *   { role: "user", content: "Why does it fail?" },
 *   { role: "assistant", content: "I look." },
 *   { role: "user", content: [result] },
 * ];
 * assert.equal(extractUserQuery(messages), "Why does it fail?");
 * ```
 */
export function extractUserQuery(messages: readonly unknown[]): string {
  for (let i = messages.length - 1; i >= 0; i--) {
    const text = userText(messages[i]);
    if (text !== "") return text;
  }
  return "";
}

/**
 * Counts the messages in which the user says something; results of tools are none.
 *
 * @param messages Messages of any shape.
 *
 * @example
 * ```ts
 * import { countTurns } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * assert.equal(countTurns([{ role: "user", content: "Hello" }, { role: "assistant", content: "Hi" }]), 1);
 * ```
 */
export function countTurns(messages: readonly unknown[]): number {
  return messages.filter((message) => userText(message) !== "").length;
}

/**
 * Lists the tools that were called, in order, one as often as it was called.
 *
 * @param messages Messages of any shape.
 * @returns Their names.
 *
 * @example
 * ```ts
 * import { extractToolCalls } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const call = { id: "c1", type: "function", function: { name: "search", arguments: "{}" } };
 * assert.deepEqual(extractToolCalls([{ role: "assistant", tool_calls: [call] }]), ["search"]);
 * ```
 */
export function extractToolCalls(messages: readonly unknown[]): string[] {
  return messages.flatMap((message) =>
    [
      ...arrayAt(message, "tool_calls").map((call) =>
        fieldOf(fieldOf(call, "function") ?? call, "name")
      ),
      ...[message, ...arrayAt(message, "content")].flatMap((part) =>
        CALL_PARTS.has(fieldOf(part, "type"))
          ? [fieldOf(part, "name") ?? fieldOf(part, "toolName")]
          : []
      ),
      ...arrayAt(message, "parts").map((part) =>
        fieldOf(fieldOf(part, "functionCall"), "name")
      ),
    ].filter((name) => typeof name === "string")
  );
}

/** What hooks are told of messages. */
export function contextOf(
  messages: readonly unknown[],
  format: MessageFormat,
  model: string,
): HookContext {
  return {
    model,
    userQuery: extractUserQuery(messages),
    turnNumber: countTurns(messages),
    toolCalls: extractToolCalls(messages),
    format,
  };
}

/** What the user says in a message; empty in messages of others. */
function userText(message: unknown): string {
  if (fieldOf(message, "role") !== "user") return "";
  const content = fieldOf(message, "content");
  if (typeof content === "string") return content;
  const texts = [
    ...arrayAt(message, "content").filter((part) =>
      TEXT_PARTS.has(fieldOf(part, "type"))
    ),
    ...arrayAt(message, "parts"),
  ].map((part) => fieldOf(part, "text"));
  return texts.filter((text) => typeof text === "string").join("\n");
}
