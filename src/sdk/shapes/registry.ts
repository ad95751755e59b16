/** All ways of writing messages, and which of them some messages are written in. @module */
import type { MessageFormat, MessageShape } from "../shape.ts";
import { googleShape } from "./google.ts";
import { arrayAt, fieldOf, isObject, partTypes } from "./look.ts";
import { vercelShape } from "./vercel.ts";

const RESULT_ROLES: ReadonlySet<unknown> = new Set(["tool", "function"]);
const BLOCKS: ReadonlySet<unknown> = new Set(["tool_use", "tool_result"]);

/** Chat completions: tool calls beside the content, results as messages of their own. */
const openaiShape: MessageShape = {
  id: "openai",
  tells: (message) =>
    arrayAt(message, "tool_calls").length > 0 ||
    isObject(fieldOf(message, "function_call")) ||
    (RESULT_ROLES.has(fieldOf(message, "role")) &&
      !partTypes(message).includes("tool-result")),
  shadow: (messages) => ({ format: "chat_completions", messages }),
};

/** Messages of content blocks: tool calls and results inside the content. */
const anthropicShape: MessageShape = {
  id: "anthropic",
  tells: (message) =>
    partTypes(message).some((type) => BLOCKS.has(type)) ||
    arrayAt(message, "content").some((part) =>
      fieldOf(part, "type") === "image" &&
      fieldOf(fieldOf(part, "source"), "type") !== undefined
    ),
  shadow: (messages) => ({ format: "messages", messages }),
};

/** Items of the responses API: most have a type and no role. */
const responsesShape: MessageShape = {
  id: "responses",
  tells: (item) =>
    typeof fieldOf(item, "type") === "string" &&
    fieldOf(item, "role") === undefined,
  shadow: (messages) => ({ format: "responses", messages }),
};

/** Asked in this order about each message; the first message that tells decides, so that it stays as messages are added. */
const SHAPES: readonly MessageShape[] = [
  googleShape,
  openaiShape,
  vercelShape,
  anthropicShape,
  responsesShape,
];

/** Where no message tells: there are no results of tools then, and every shape would do. */
const DEFAULT_SHAPE = openaiShape;

/**
 * Says how messages are written.
 *
 * @param messages Messages of one conversation, or items of one; oldest first.
 * @returns `openai` where none of them tells.
 *
 * @example
 * ```ts
 * import { detectFormat } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const result = { type: "tool_result", tool_use_id: "t1", content: "ok" };
 * assert.equal(detectFormat([{ role: "user", content: [result] }]), "anthropic");
 * assert.equal(detectFormat([{ role: "user", content: "Hello" }]), "openai");
 * ```
 */
export function detectFormat(messages: readonly unknown[]): MessageFormat {
  return shapeOf(messages).id;
}

/** The shape of messages: as named, or else as they tell. */
export function shapeOf(
  messages: readonly unknown[],
  named?: MessageFormat,
): MessageShape {
  if (named !== undefined) {
    return SHAPES.find(({ id }) => id === named) ?? DEFAULT_SHAPE;
  }
  for (const message of messages) {
    const shape = SHAPES.find((shape) => shape.tells(message));
    if (shape !== undefined) return shape;
  }
  return DEFAULT_SHAPE;
}
