/** Which ledger a configuration means. @module */
import { LedgerTransactions } from "./transactions.ts";
import { LEDGER_MIGRATIONS } from "./schema.ts";
import { makeLedgerMaintenance } from "./maintenance.ts";
import type { LedgerChannel } from "./channel.ts";
import { migrateTo } from "../writer/schema.ts";
import { DatabaseSync } from "node:sqlite";
import { errorMessage } from "../core/errors.ts";
import { Ledger } from "./ledger.ts";
import { openSqliteLedger, type SqliteLedgerOptions } from "./sqlite_ledger.ts";

/** What is configured about the ledger. */
interface LedgerOptions extends Omit<SqliteLedgerOptions, "path"> {
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

/** Requests that are kept, the newest. */
const MAX_REQUESTS = 1000;
/** Rows that are written at once: a few milliseconds, while each alone would take half a one. */
const GATHERED = 16;
/** So many tasks are done between two looks for old requests. */
const SWEEP_EVERY = 256;
/** No other process sees its rows. */
const OWNER = { run: "", process: "" };

/** Makes a ledger of this process alone: its counts, sums and spend are gone when the process ends. */
export function openMemoryLedger(
  { clock, budget }: Pick<SqliteLedgerOptions, "clock" | "budget">,
): Ledger {
  const db = new DatabaseSync(":memory:");
  migrateTo(db, "", LEDGER_MIGRATIONS);
  let lastId = 0;
  return new Ledger({
    db,
    backend: "memory",
    channel: channelOf(db),
    owner: OWNER,
    isShared: false,
    clock,
    log: () => {},
    budget,
    newId: () => `${++lastId}`,
    gathered: GATHERED,
  });
}

/** Writes on this thread. */
function channelOf(db: DatabaseSync): LedgerChannel {
  const transactions = new LedgerTransactions(db, {
    ...OWNER,
    path: "",
    slot: undefined,
  });
  const maintain = makeLedgerMaintenance(db, {
    maxRequests: MAX_REQUESTS,
    pauseMs: 0,
  });
  let unswept = 0;
  return {
    start() {},
    run(job) {
      // What ends after the proxy has stopped is counted nowhere.
      if (!db.isOpen) return Promise.resolve({ answers: [], spend: undefined });
      const written = transactions.run(job);
      unswept += job.tasks.length;
      if (unswept >= SWEEP_EVERY) {
        unswept %= SWEEP_EVERY;
        maintain(job.now);
      }
      return Promise.resolve(written);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
