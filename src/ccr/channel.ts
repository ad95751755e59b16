/** What the worker does for the store: all that takes longer than a request may wait. @module */
import type { Log } from "../core/log.ts";
import type { CcrBatch, CcrWritten } from "../core/store.ts";
import type { Writer, WriterChannel } from "../writer/writer.ts";
import type { StoreBounds } from "./transactions.ts";

/** What the worker is told first. */
export interface CcrWorkSettings extends StoreBounds {
  /** Path of a database whose tables are there. */
  readonly path: string;
}

/** One thing for the worker to do. */
export type CcrJob =
  /** One transaction that clears: it may take seconds. */
  | { readonly type: "write"; readonly batch: CcrBatch }
  /** Copy the write-ahead log into the database: it waits for the disk. */
  | { readonly type: "copy" };

/** Opens the way to the store's database: the result of a job is what its transaction left behind. */
export function openCcrChannel(
  writer: Writer,
  { log, path, ttlMs, maxBytes }: CcrWorkSettings & { readonly log: Log },
): WriterChannel<CcrJob, CcrWritten> {
  const settings: CcrWorkSettings = { path, ttlMs, maxBytes };
  return writer.open<CcrJob, CcrWritten>({
    database: "ccr",
    settings,
    title: "the CCR store",
    slug: "ccr_store",
    log,
  });
}
