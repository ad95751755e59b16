/** All ways of writing messages, and which of them some messages are written in. @module */
import type { MessageFormat, MessageShape } from "../shape.ts";
import { googleShape } from "./google.ts";
import { anthropicShape, openaiShape, responsesShape } from "./native.ts";
import { vercelShape } from "./vercel.ts";

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
