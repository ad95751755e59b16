/** What an extension of the pipeline is told, and what it may answer. @module */

/** A message of a request, or an item of its input: a copy, in the words of its wire format. */
export type PipelineMessage = Readonly<Record<string, unknown>>;

/** What an extension is told. */
export interface PipelineEvent {
  /** `PRE_SEND`: the request is about to leave; it is compressed afterwards. */
  readonly stage: "PRE_SEND";
  /** Wire format of the messages: `messages`, `chat_completions` or `responses`. */
  readonly format: string;
  /** Model that the request names; empty when it names none. */
  readonly model: string;
  /** Messages of the conversation that no extension has seen before, oldest first: of its first request all. */
  readonly messages: readonly PipelineMessage[];
}

/** Another text in place of one of the event's. */
export interface PipelineEdit {
  /** `messages`, index in {@linkcode PipelineEvent.messages}, then keys and indexes down to a string or `null`. */
  readonly path: readonly (string | number)[];
  /** What is sent instead. */
  readonly text: string;
}

/** What an extension answers: its edits; nothing or none where all stays as it is. */
export type PipelineAnswer = readonly PipelineEdit[] | undefined | void;

/**
 * An extension: a module exports one as `pipelineExtension`.
 *
 * @example Send an empty text instead of none beside tool calls
 * ```ts
 * import type { PipelineExtension } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const pipelineExtension: PipelineExtension = ({ messages }) =>
 *   messages.flatMap(({ role, content, tool_calls }, i) =>
 *     role === "assistant" && content === null && tool_calls
 *       ? [{ path: ["messages", i, "content"], text: "" }]
 *       : []
 *   );
 *
 * const call = { role: "assistant", content: null, tool_calls: [{ id: "a" }] };
 * assert.deepEqual(
 *   pipelineExtension({
 *     stage: "PRE_SEND",
 *     format: "chat_completions",
 *     model: "gpt-5",
 *     messages: [{ role: "user", content: "Hi" }, call],
 *   }),
 *   [{ path: ["messages", 1, "content"], text: "" }],
 * );
 * ```
 */
export type PipelineExtension = (
  event: PipelineEvent,
) => PipelineAnswer | Promise<PipelineAnswer>;
