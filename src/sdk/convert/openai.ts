/** Messages of every format to those of chat completions and back. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import { ValidationError } from "../errors.ts";
import type { MessageFormat } from "../shape.ts";
import { detectFormat } from "../shapes/registry.ts";
import { anthropicToChat, chatToAnthropic } from "./anthropic.ts";
import { withoutCarried } from "./carried.ts";
import { type Convert, converted } from "./convert.ts";
import { chatToGoogle, googleToChat } from "../shapes/google.ts";
import { chatToVercel, vercelToChat } from "../shapes/vercel.ts";

/** A message of chat completions. */
export interface OpenAIMessage {
  /** Who says it. */
  readonly role:
    | "system"
    | "developer"
    | "user"
    | "assistant"
    | "tool"
    | "function";
  /** What is said: a text, parts, or `null` where there is nothing but calls. */
  readonly content?: string | readonly OpenAIContentPart[] | null;
  /** Calls of the assistant's. */
  readonly tool_calls?: readonly OpenAIToolCall[];
  /** Which call a result answers. */
  readonly tool_call_id?: string;
  /** Anything else; `_svc` holds what chat completions have no place for. */
  readonly [member: string]: unknown;
}

/** A part of a content. */
export interface OpenAIContentPart {
  /** `text`, `image_url`, `file` and others. */
  readonly type: string;
  /** The text of a `text` part. */
  readonly text?: string;
  /** The other members. */
  readonly [member: string]: unknown;
}

/** A call. */
export interface OpenAIToolCall {
  /** Its id. */
  readonly id: string;
  /** `function` or `custom`. */
  readonly type: string;
  /** What is called, with its arguments as JSON. */
  readonly function?: { readonly name: string; readonly arguments: string };
  /** The other members. */
  readonly [member: string]: unknown;
}

/** Formats that have a way to chat completions. */
export type ConvertibleFormat = Exclude<MessageFormat, "responses">;

/** There and back. */
const WAYS: Readonly<
  Record<
    Exclude<ConvertibleFormat, "openai">,
    { readonly toChat: Convert; readonly fromChat: Convert }
  >
> = {
  anthropic: { toChat: anthropicToChat, fromChat: chatToAnthropic },
  vercel: { toChat: vercelToChat, fromChat: chatToVercel },
  google: { toChat: googleToChat, fromChat: chatToGoogle },
};

/**
 * Writes messages as those of chat completions. {@linkcode fromOpenAI} brings them back as they were, also when they
 * were written as JSON in between, with those texts changed that were changed. What chat completions have no place for
 * (thinking, `cache_control`, `is_error`, unknown blocks) travels in a member `_svc` of the first message that was made
 * of it, and only there: a plain conversation has none. Providers refuse the member; {@linkcode sendable} takes it away.
 *
 * @param messages Messages of one conversation, oldest first; never modified.
 * @param format How they are written; default: found out from them.
 * @throws {ValidationError} If they are items of the responses API.
 *
 * @example Results of parallel calls, one of which failed
 * ```ts
 * import { fromOpenAI, toOpenAI } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const messages = [{
 *   role: "user",
 *   content: [
 *     { type: "tool_result", tool_use_id: "a", content: "17 files" },
 *     { type: "tool_result", tool_use_id: "b", content: "Not found", is_error: true },
 *   ],
 * }];
 * const chat = toOpenAI(messages);
 * assert.deepEqual(chat.map(({ role, content }) => [role, content]), [
 *   ["tool", "17 files"],
 *   ["tool", "Not found"],
 * ]);
 * const shorter = chat.map((message, i) => i === 0 ? { ...message, content: "17" } : message);
 * const [message] = fromOpenAI<typeof messages[0]>(JSON.parse(JSON.stringify(shorter)), "anthropic");
 * assert.deepEqual(message?.content, [
 *   { type: "tool_result", tool_use_id: "a", content: "17" },
 *   { type: "tool_result", tool_use_id: "b", content: "Not found", is_error: true },
 * ]);
 * ```
 */
export function toOpenAI(
  messages: readonly unknown[],
  format: MessageFormat = detectFormat(messages),
): OpenAIMessage[] {
  if (format === "openai") return [...messages] as OpenAIMessage[];
  const { toChat, fromChat } = waysOf(format);
  return converted(messages, {
    from: format,
    to: "openai",
    there: toChat,
    back: fromChat,
  }) as OpenAIMessage[];
}

/**
 * Writes messages of chat completions in another way; the inverse of {@linkcode toOpenAI}, which in turn brings back
 * what this one made. Results of parallel calls become one message, and so does what the user says right behind them
 * where user and assistant must alternate. Arguments that are no JSON object come under `arguments`.
 *
 * @param messages Messages of one conversation, oldest first; never modified.
 * @param format How they are to be written.
 * @throws {ValidationError} If that is the responses API.
 *
 * @example
 * ```ts
 * import { fromOpenAI, toOpenAI } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const call = { id: "a", type: "function", function: { name: "list", arguments: "{}" } };
 * const chat = [
 *   { role: "user", content: "What is here?" },
 *   { role: "assistant", content: null, tool_calls: [call] },
 *   { role: "tool", tool_call_id: "a", content: "17 files" },
 * ];
 * const contents = fromOpenAI(chat, "google");
 * assert.deepEqual(contents[2], {
 *   role: "user",
 *   parts: [{ functionResponse: { id: "a", name: "list", response: { output: "17 files" } } }],
 * });
 * assert.deepEqual(toOpenAI(contents, "google"), chat);
 * ```
 */
export function fromOpenAI<M = Record<string, unknown>>(
  messages: readonly unknown[],
  format: MessageFormat,
): M[] {
  if (format === "openai") return [...messages] as M[];
  const { toChat, fromChat } = waysOf(format);
  return converted(messages, {
    from: "openai",
    to: format,
    there: fromChat,
    back: toChat,
  }) as M[];
}

function waysOf(format: Exclude<MessageFormat, "openai">) {
  if (format === "responses") {
    throw new ValidationError(
      'Cannot convert messages of the format "responses": use "anthropic", "openai", "vercel" or "google"',
    );
  }
  return WAYS[format];
}

/**
 * Takes away what messages carry for the way back, so that a provider takes them.
 *
 * @param messages Messages that {@linkcode toOpenAI} or {@linkcode fromOpenAI} made; never modified.
 *
 * @example
 * ```ts
 * import { sendable, toOpenAI } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const text = { type: "text", text: "Hello", cache_control: { type: "ephemeral" } };
 * const chat = toOpenAI([{ role: "user", content: [text] }], "anthropic");
 * assert.deepEqual(sendable(chat), [{ role: "user", content: [{ type: "text", text: "Hello" }] }]);
 * ```
 */
export function sendable<M>(messages: readonly M[]): M[] {
  return messages.map((message) =>
    isJsonObject(message) ? withoutCarried(message) as M : message
  );
}
