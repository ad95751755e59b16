/** A ledger's database in memory, and requests in it. */
import { DatabaseSync } from "node:sqlite";
import type { RequestRecord } from "../../src/core/ledger.ts";
import { RowSums } from "../../src/ledger/row_sums.ts";
import {
  cellsOf,
  INSERT_REQUEST,
  type RequestRow,
  rowOf,
} from "../../src/ledger/rows.ts";
import { LEDGER_MIGRATIONS } from "../../src/ledger/schema.ts";
import { migrateTo } from "../../src/writer/schema.ts";

/** The row of a request of run `run`. */
export function rowOfRun(entry: RequestRecord): RequestRow {
  return rowOf(entry, { run: "run", process: "p" }, entry.forms);
}

/** Makes what writes and counts rows in one go; one that is there already is not written again. */
export function writerOf(
  db: DatabaseSync,
): (rows: readonly RequestRow[]) => void {
  const insert = db.prepare(INSERT_REQUEST);
  const sums = new RowSums(db);
  return (rows) =>
    sums.count(
      rows.filter((row) => Number(insert.run(...cellsOf(row)).changes) > 0),
    );
}

/** A database with these requests. */
export function databaseOf(
  entries: readonly RequestRecord[] = [],
): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  migrateTo(db, "1.0.0", LEDGER_MIGRATIONS);
  writerOf(db)(entries.map(rowOfRun));
  return db;
}
