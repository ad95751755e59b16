/** A ledger of two days, two projects and two kinds, made of requests. */
import { openSqliteLedger } from "../../../src/ledger/open_ledger.ts";
import { DatabaseSync } from "node:sqlite";
import type { RequestRecord } from "../../../src/core/ledger.ts";
import type { BlockKey } from "../../../src/core/store.ts";
import { openLedgerReader } from "../../../src/ledger/open_reader.ts";
import { SqlReader } from "../../../src/ledger/reader.ts";
import { rowOf } from "../../../src/ledger/rows.ts";
import { LEDGER_MIGRATIONS } from "../../../src/ledger/schema.ts";
import { LedgerTransactions } from "../../../src/ledger/transactions.ts";
import { migrateTo } from "../../../src/writer/schema.ts";
import { costOf, ids, RECORD, standingClock } from "../../ledger/samples.ts";
import { tempDir } from "../../temp_dir.ts";

/** Noon of the second day; a Sunday in the middle of March, in UTC. */
export const SUNDAY = Date.UTC(2026, 2, 15, 12);
const DAY = 86_400_000;

/** One that saved 400 of 1,000 tokens and cost `nanoUsd`. */
export function request(
  id: string,
  parts: Partial<RequestRecord> = {},
): RequestRecord {
  return {
    ...RECORD,
    id,
    at: SUNDAY,
    usage: { input: 100, cacheRead: 500, output: 20 },
    cost: costOf(1_000_000),
    forms: [{
      key: "b" as BlockKey,
      entry: undefined,
      toolName: "Bash",
      strategy: "log",
      saved: 400,
    }],
    ...parts,
  };
}

/** A failure, a model without a price, another project and the day before. */
export const REQUESTS: readonly RequestRecord[] = [
  request("a", { at: SUNDAY - DAY, project: "shop" }),
  request("b", { project: "shop", model: "m2", cost: costOf(undefined) }),
  request("c", {
    status: 500,
    usage: {},
    cost: undefined,
    forms: [],
  }),
  request("d"),
];

/** Keeps requests in memory. */
export function memoryLedger(
  requests: readonly RequestRecord[] = REQUESTS,
): { readonly reader: SqlReader } {
  const db = new DatabaseSync(":memory:");
  migrateTo(db, "", LEDGER_MIGRATIONS);
  const owner = { run: "r", process: "p" };
  new LedgerTransactions(db, { ...owner, path: "", slot: undefined }).run({
    now: SUNDAY,
    tasks: requests.map((entry) => ({
      type: "insert",
      row: rowOf(entry, owner, entry.forms),
    })),
    period: undefined,
  });
  return { reader: new SqlReader(db) };
}

/** Runs a test on a ledger file in a workspace of its own. */
export async function inWorkspace(
  requests: readonly RequestRecord[],
  test: (workspace: string) => Promise<void>,
): Promise<void> {
  await using temp = await tempDir();
  const workspace = temp.path;
  {
    await using ledger = await openSqliteLedger({
      path: `${workspace}/ledger.db`,
      clock: standingClock(SUNDAY),
      log: () => {},
      version: "1.2.3",
      budget: undefined,
      newId: ids("id"),
    });
    for (const entry of requests) ledger.record(entry);
    await ledger.flush();
  }
  await test(workspace);
}

/** Opens the file as the command line does. */
export async function openFile(path: string) {
  try {
    await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const { reader, close } = await openLedgerReader(path);
  return { reader, [Symbol.dispose]: close };
}
