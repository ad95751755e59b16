/** How far the reasoning of a conversation was sent already, whatever was set then. @module */
import type { BodyScan, ProviderFormat } from "../core/format.ts";
import type { ConversationKey } from "../core/store.ts";
import type { CompressParts } from "./compress_parts.ts";
import { firstResultName } from "./conversation_keys.ts";

/** What is known of the reasoning that was sent. */
export interface ReasoningPast {
  /** Messages of the longest request with reasoning: what stands behind them was in none. */
  readonly sent: number;
  /** Whether some of it was shortened. */
  readonly isShortened: boolean;
  /** To be written together with the forms of shortened reasoning. */
  readonly noteShortened: readonly [name: string, value: string];
  /** To be noted when the request leaves; `undefined` where it tells nothing new. */
  readonly noteSent:
    | { readonly name: string; readonly sent: number }
    | undefined;
}

/** A body, and the name of its conversation under every session. */
interface NamedBody {
  readonly input: {
    readonly format: ProviderFormat;
    readonly body: Uint8Array;
  };
  readonly scan: BodyScan;
  readonly origin: ConversationKey;
}

/**
 * What was noted of all conversations that share the first message and the first result with this one: forks and
 * rewinds of it send the same reasoning again. A few rows of the store are read.
 */
export function reasoningPast(
  parts: CompressParts,
  { input: { format, body }, scan, origin }: NamedBody,
): ReasoningPast {
  const early = `reasoning of ${origin}`;
  const first = firstResultName(parts, { format, body, scan });
  const name = first === undefined ? early : `reasoning of ${first}`;
  // Before its first result a conversation is known by its first message alone.
  const sent = sentOf(parts, name) || sentOf(parts, early);
  const shortened = `${early}, shortened`;
  const { length } = scan.messages;
  return {
    sent,
    isShortened: parts.store.responseId(shortened) !== undefined,
    noteShortened: [shortened, "1"],
    noteSent: sentOf(parts, name) < length ? { name, sent: length } : undefined,
  };
}

/** Another process may have noted more than this one, and this one more than is written yet. */
function sentOf(
  { store, responseIds }: Pick<CompressParts, "store" | "responseIds">,
  name: string,
): number {
  return Math.max(
    Number(responseIds.find(name) ?? 0),
    Number(store.responseId(name) ?? 0),
  );
}

/** Notes that a request leaves. Written off the request path; never rejects. */
export async function noteReasoningSent(
  parts: Pick<CompressParts, "attempt" | "responseIds" | "store">,
  { name, sent }: NonNullable<ReasoningPast["noteSent"]>,
): Promise<void> {
  await parts.attempt("note_reasoning", async () => {
    if (sentOf(parts, name) >= sent) return;
    await parts.responseIds.note(name, `${sent}`, "soon");
  }, undefined);
}
