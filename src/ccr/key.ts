/** Digests that name originals, blocks and conversations. @module */
import { hash } from "node:crypto";
import type { AnsweredRetrieval } from "../core/retrieval.ts";
import type { BlockKey, CcrKey, ConversationKey } from "../core/store.ts";

/** What identifies one block. */
export interface BlockIdentity {
  /** Tool that produced the block; `undefined` when the body does not say. */
  readonly toolName: string | undefined;
  /** Id of the call; where the client gives none, the conversation key stands in for it. */
  readonly callId: string;
  /** Position among the text parts of the same tool result, from 0. */
  readonly part: number;
  /** The decoded text. */
  readonly text: string;
}

/** What identifies one conversation. */
export interface ConversationIdentity {
  /** Session header; `undefined` when absent. */
  readonly session: string | undefined;
  /** Agent header; `undefined` when absent. */
  readonly agent: string | undefined;
  /** Text of the first user message; `undefined` when there is none. */
  readonly firstUserText: string | undefined;
  /** Wire format, where its conversations are named apart from those of others. */
  readonly format?: string | undefined;
}

/**
 * Names an original by its text alone, so that the same text is kept once.
 *
 * @param text Any text, `n` characters.
 * @returns The first 24 lowercase hex digits of the SHA-256 of its UTF-8 bytes. O(n).
 */
export function ccrKey(text: string): CcrKey {
  return hash("sha256", text, "hex").slice(0, 24) as CcrKey;
}

/** Names a block: 32 lowercase hex digits. The same text under another call is another block. */
export function blockKey(block: BlockIdentity): BlockKey {
  const { toolName, callId, part, text } = block;
  return digest("block", [toolName, callId, `${part}`, text]) as BlockKey;
}

/** Names a conversation: 32 lowercase hex digits. An absent header differs from an empty one. */
export function conversationKey(
  conversation: ConversationIdentity,
): ConversationKey {
  const { session, agent, firstUserText, format } = conversation;
  return digest("conversation", [
    session,
    agent,
    firstUserText,
    ...format === undefined ? [] : [format],
  ]) as ConversationKey;
}

/** Names an answered retrieval by all that it holds: 32 lowercase hex digits. */
export function retrievalKey(retrieval: AnsweredRetrieval): string {
  const { anchor, format, data } = retrieval;
  return digest("retrieval", [anchor, format, data]);
}

/** Each field carries its length, so that no two lists of fields run into the same text. */
function digest(
  domain: string,
  fields: readonly (string | undefined)[],
): string {
  const framed = fields.map((field) =>
    field === undefined ? "-;" : `${field.length}:${field};`
  );
  return hash("sha256", `${domain};${framed.join("")}`, "hex").slice(0, 32);
}
