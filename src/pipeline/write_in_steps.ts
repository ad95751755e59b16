/** One commit of very many originals, in several transactions. @module */
import { nextTurn } from "../core/next_turn.ts";
import type { CcrBatch, CcrEntry, CcrWritten } from "../core/store.ts";
import type { CompressParts } from "./compress_parts.ts";

/** Originals of one transaction, and UTF-16 units of their texts: a few milliseconds. */
const MAX_ENTRIES = 100;
const MAX_LENGTH = 256 * 1024;

/** What is written. */
export interface SteppedWrite {
  /** Originals, and what belongs to their conversation. */
  readonly batch: CcrBatch & Required<Pick<CcrBatch, "entries">>;
  /** What comes with the last of them. */
  readonly last: Pick<CcrBatch, "forms" | "responseIds">;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
}

/**
 * Writes a batch in one transaction. Of very many originals most go ahead, and others have their turn in between. What
 * belongs to the conversation is written with the first ones: who looks in between sees the same as behind the last ones,
 * but for the forms. Those are written at once, when all their originals are there.
 *
 * @throws {DOMException} `AbortError`, if the client has left in between.
 * @throws {Error} If the store refused: no form was written.
 */
export async function writeInSteps(
  { store }: Pick<CompressParts, "store">,
  { batch, last, signal }: SteppedWrite,
): Promise<CcrWritten> {
  let waiting: CcrEntry[] = [];
  let length = 0;
  for (const entry of batch.entries) {
    if (waiting.length >= MAX_ENTRIES || length >= MAX_LENGTH) {
      await store.write({ ...batch, entries: waiting });
      [waiting, length] = [[], 0];
      await nextTurn();
      signal.throwIfAborted();
    }
    waiting.push(entry);
    length += entry.original.length;
  }
  return await store.write({ ...batch, ...last, entries: waiting });
}
