/** Log records about what is kept on disk, as sentences. @module */
import { resolve } from "node:path";
import { databaseAdvice } from "./database_advice.ts";

/** Values of a record by name. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** Says what a record means; by its slug. */
export type Sentences = Readonly<Record<string, (fields: LogFields) => string>>;

/** Originals, the ledger, and the files that are made of them. */
export const STORAGE_SENTENCES: Sentences = {
  ccr_store_unavailable: ({ path, reason }) =>
    `Cannot use the database ${absolute(path)} (${reason}). Originals and ` +
    "what was sent for them are kept in memory only, until the proxy stops" +
    databaseAdvice(
      String(reason),
      "Set SVC_WORKSPACE_DIR to a directory that you can write to, or " +
        "SVC_CCR_BACKEND=memory if memory is enough",
    ),
  ccr_store_read_only: ({ path, reason }) =>
    `Cannot write to the database ${absolute(path)}: ${reason}. Nothing new ` +
    "can be kept, so a proxy leaves nothing more out of requests. Run the " +
    "newer version, or set SVC_WORKSPACE_DIR to another directory",
  ledger_unavailable: ({ path, reason }) =>
    `Cannot use the database ${absolute(path)} (${reason}). Requests and ` +
    "their costs are counted in memory only, until the proxy stops" +
    databaseAdvice(
      String(reason),
      "Set SVC_WORKSPACE_DIR to a directory that you can write to",
    ),
  savings_file_failed: ({ path, reason }) =>
    `Cannot write the savings to ${
      absolute(path)
    }: ${reason}. They are still ` +
    "counted",
  savings_file_put_aside: ({ path, aside }) =>
    `${absolute(path)} was not written by svc: moved to ${absolute(aside)}`,
  ccr_retrieval_uncounted: ({ reason }) =>
    `Cannot count the retrieval: ${reason}. The original was given back`,
  ccr_store_expire_failed: ({ reason }) =>
    `Cannot remove an expired original from the database: ${reason}. It is ` +
    "not given back any more, and removed later",
  ccr_store_sweep_failed: ({ reason }) =>
    `Cannot clear old originals away: ${reason}. Requests go on; it is tried ` +
    "again with the next ones. svc doctor checks the database",
  ccr_store_writer_failed: ({ reason }) =>
    `Cannot start what writes originals: ${reason}. Until it starts, nothing ` +
    "more is left out of requests; it is tried again with the next one",
  ccr_touch_failed: ({ reason }) =>
    `Cannot note that originals are in use: ${reason}. They may expire ` +
    "earlier than SVC_CCR_TTL_SECONDS says. svc doctor checks the database",
  ccr_activity_failed: ({ reason }) =>
    `Cannot note that a conversation goes on: ${reason}. Its originals may ` +
    "expire earlier than SVC_CCR_TTL_SECONDS says. svc doctor checks the " +
    "database",
  ledger_writer_failed: ({ reason }) =>
    `Cannot start what writes the ledger: ${reason}. Requests go on and are ` +
    "kept in memory meanwhile; it is tried again with the next one",
  ledger_sweep_failed: ({ reason }) =>
    `Cannot remove old requests from the ledger: ${reason}. It grows ` +
    "meanwhile; it is tried again. svc doctor checks the database",
  ledger_write_failed: ({ reason }) =>
    `Cannot write to the ledger: ${reason}. Requests go on and are kept in ` +
    "memory; they are written with the next one that can be" +
    databaseAdvice(String(reason), "svc doctor checks the database"),
  ledger_rows_lost: ({ rows, waiting }) =>
    rows === undefined
      ? `The ledger could not be written for so long that the oldest of ` +
        `${waiting} waiting entries are given up: these requests are missing ` +
        "from svc savings, log and perf. svc doctor says what is wrong"
      : `${rows} ${rows === 1 ? "entry" : "entries"} of the ledger could not ` +
        "be written before the end and are lost: these requests are missing " +
        "from svc savings, log and perf. svc doctor says what is wrong",
  ledger_slow: ({ reason }) =>
    `The ledger did not answer in time: ${reason}. The figures of /stats are ` +
    "those of a moment ago; requests go on. A slow or full disk does this",
  ledger_read_failed: ({ reason }) =>
    `Cannot read the ledger: ${reason}. Figures are the last known ones; ` +
    "requests go on. svc doctor checks the database",
  ledger_not_left: ({ reason }) =>
    `Cannot take this process off the ledger's list: ${reason}. Others count ` +
    "what it held for another minute",
  ledger_no_beat: ({ reason }) =>
    `Cannot tell the other processes that this one lives: ${reason}. They ` +
    "may give away what it has reserved; it is tried again",
  budget_unavailable: ({ reason }) =>
    `Cannot look at the shared budget: ${reason}. This process goes by what ` +
    "it knows itself until the ledger answers again",
  limits_unavailable: ({ reason }) =>
    `Cannot look at the shared limits: ${reason}. This process keeps its ` +
    "own until the ledger answers again",
};

/** A path as a reader anywhere finds it. */
export function absolute(path: LogFields[string] | undefined): string {
  return resolve(String(path));
}
