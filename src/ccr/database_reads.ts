/** The look-ups of a store that a database answers. @module */
import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import type { CcrStore } from "../core/store.ts";
import { historyOf } from "./history.ts";
import { Listing } from "./listing.ts";
import { type Reads, UNUSED_LIFETIME_MS } from "./reads.ts";

/** What a store answers from its tables, and nothing that changes them. */
export type DatabaseReads = Omit<
  CcrStore,
  "entry" | "write" | "full" | "stats" | typeof Symbol.asyncDispose
>;

/**
 * Prepares the look-ups.
 *
 * @param db Open connection; it may be read-only.
 * @param reads Look-ups of the same connection.
 * @param clock Time of reads.
 * @throws {Error} If the tables are not those of this version.
 */
export function databaseReads(
  db: DatabaseSync,
  reads: Reads,
  clock: Clock,
): DatabaseReads {
  const listing = new Listing(db);
  return {
    ...historyOf(db),
    forms: (keys) => reads.forms(keys, clock.now() - UNUSED_LIFETIME_MS),
    conversation: (key) => reads.conversation(key),
    isLinked: (key, entry) => reads.isLinked(key, entry),
    responseId: (seen) => reads.responseId(seen),
    entries: (limit) => listing.entries(limit, clock.now()),
  };
}
