/** Which ledger a configuration means. @module */
import { errorMessage } from "../core/errors.ts";
import type { Ledger } from "./ledger.ts";
import { openMemoryLedger } from "./memory_ledger.ts";
import { openSqliteLedger, type SqliteLedgerOptions } from "./sqlite_ledger.ts";

/** What is configured about the ledger. */
export interface LedgerOptions extends Omit<SqliteLedgerOptions, "path"> {
  /** The database file; `undefined` where nothing may be written, which means memory. */
  readonly path: string | undefined;
}

/**
 * Opens the ledger. When its file cannot be used, one warning is logged, the file is left as it is and a ledger in
 * memory takes its place. Never rejects for the file's sake.
 */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { path, log } = options;
  if (path === undefined) return openMemoryLedger(options);
  try {
    return await openSqliteLedger({ ...options, path });
  } catch (error) {
    const reason = errorMessage(error);
    log("warn", "ledger_unavailable", { path, reason });
    return openMemoryLedger(options);
  }
}
