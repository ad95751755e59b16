/** Values that tests of the store put into it. @module */
import type {
  BlockKey,
  CcrEntry,
  ConversationKey,
  FrozenForm,
} from "../../src/core/store.ts";
import { blockKey, ccrKey, conversationKey } from "../../src/ccr/key.ts";

/** An original stored at `storedAt` (milliseconds since the Unix epoch). */
export function entryOf(original: string, storedAt: number): CcrEntry {
  return {
    key: ccrKey(original),
    original,
    strategy: "log",
    toolName: "Bash",
    originalTokens: 120,
    originalItems: 40,
    keptItems: 8,
    storedAt,
  };
}

/** A form whose literal holds `text`. */
export function formOf(
  text: string,
  parts: Partial<FrozenForm> = {},
): FrozenForm {
  return {
    literal: new TextEncoder().encode(JSON.stringify(text)),
    strategy: "log",
    entry: undefined,
    definition: undefined,
    tokensBefore: 120,
    tokensAfter: 30,
    ...parts,
  };
}

/** The key of a block with this text. */
export function blockOf(text: string): BlockKey {
  return blockKey({ toolName: "Bash", callId: "call_1", part: 0, text });
}

/** The key of a conversation that starts with this text. */
export function conversationOf(firstUserText: string): ConversationKey {
  return conversationKey({ session: "s", agent: undefined, firstUserText });
}
