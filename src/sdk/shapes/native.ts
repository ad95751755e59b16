/** Shapes that are compressed as they are written. @module */
import type { MessageShape } from "../shape.ts";
import { arrayAt, fieldOf, isObject, partTypes } from "./look.ts";

const RESULT_ROLES: ReadonlySet<unknown> = new Set(["tool", "function"]);
const BLOCKS: ReadonlySet<unknown> = new Set(["tool_use", "tool_result"]);

/** Chat completions: tool calls beside the content, results as messages of their own. */
export const openaiShape: MessageShape = {
  id: "openai",
  tells: (message) =>
    arrayAt(message, "tool_calls").length > 0 ||
    isObject(fieldOf(message, "function_call")) ||
    (RESULT_ROLES.has(fieldOf(message, "role")) &&
      !partTypes(message).includes("tool-result")),
  shadow: (messages) => ({ format: "chat_completions", messages }),
};

/** Messages of content blocks: tool calls and results inside the content. */
export const anthropicShape: MessageShape = {
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
export const responsesShape: MessageShape = {
  id: "responses",
  tells: (item) =>
    typeof fieldOf(item, "type") === "string" &&
    fieldOf(item, "role") === undefined,
  shadow: (messages) => ({ format: "responses", messages }),
};
