/** Values that tests of the store put into it. @module */
import type {
  BlockKey,
  CcrEntry,
  ConversationKey,
  FrozenForm,
  RetrievalEvent,
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
    formTokens: 30,
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

/** An event: the original with this text was given back whole at `at` (milliseconds since the Unix epoch). */
export function eventOf(
  original: string,
  at: number,
  parts: Partial<RetrievalEvent> = {},
): RetrievalEvent {
  return {
    key: ccrKey(original),
    at,
    via: "proxy",
    part: "full",
    query: "",
    strategy: "log",
    toolName: "Bash",
    items: 40,
    totalItems: 40,
    tokens: 120,
    ...parts,
  };
}
