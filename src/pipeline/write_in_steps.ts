/** One commit of very many originals, in several transactions. @module */
import { nextTurn } from "../core/next_turn.ts";
import {
  type CcrBatch,
  type CcrEntry,
  type CcrWritten,
  StoreLocked,
} from "../core/store.ts";
import type { CompressParts } from "./compress_parts.ts";

/** Originals of one transaction, and UTF-16 units of their texts: a few milliseconds. */
const MAX_ENTRIES = 50;
const MAX_LENGTH = 128 * 1024;
/** Turns between two transactions: other processes write in between, and try for ten milliseconds. */
const TURNS_BETWEEN = 6;
/**
 * Times that a transaction is tried again while another process is writing: each takes some ten milliseconds. What took
 * seconds to decide waits for a second; a conversation that begins must be known to other processes when it is answered.
 */
const AGAIN = { usual: 1, begun: 15, long: 100 };

/** What is written. */
export interface SteppedWrite {
  /** Originals, and what belongs to their conversation. */
  readonly batch: CcrBatch & Required<Pick<CcrBatch, "entries">>;
  /** What comes with the last of them. */
  readonly last: Pick<CcrBatch, "forms" | "responseIds">;
  /** Whether the conversation begins to declare its tools with it. */
  readonly begins: boolean;
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
  { batch, last, begins, signal }: SteppedWrite,
): Promise<CcrWritten> {
  let waiting: CcrEntry[] = [];
  let length = 0;
  for (const entry of batch.entries) {
    if (waiting.length >= MAX_ENTRIES || length >= MAX_LENGTH) {
      await written(store, { ...batch, entries: waiting }, {
        again: AGAIN.long,
        signal,
      });
      [waiting, length] = [[], 0];
      for (let i = 0; i < TURNS_BETWEEN; i++) await nextTurn();
      signal.throwIfAborted();
    }
    waiting.push(entry);
    length += entry.original.length;
  }
  const isLong = waiting.length < batch.entries.length;
  return await written(
    store,
    { ...batch, ...last, entries: waiting },
    { again: isLong ? AGAIN.long : begins ? AGAIN.begun : AGAIN.usual, signal },
  );
}

/** Writes a batch, and tries it again while another process is writing. */
async function written(
  store: CompressParts["store"],
  batch: CcrBatch,
  { again, signal }: Pick<SteppedWrite, "signal"> & { readonly again: number },
): Promise<CcrWritten> {
  for (let left = again;; left--) {
    try {
      return await store.write(batch);
    } catch (error) {
      if (left === 0 || !(error instanceof StoreLocked)) throw error;
    }
    await nextTurn();
    signal.throwIfAborted();
  }
}
