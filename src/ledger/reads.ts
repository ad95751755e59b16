/** Reads of the ledger's database. Sums are read as floating point: beyond 2^53 they are rounded instead of refused. @module */
import type { DatabaseSync } from "node:sqlite";
import type { BudgetPeriod } from "../core/cost.ts";
import { believedSpan, periodStart, type Spend } from "./budget_rule.ts";
import { Statements } from "./statements.ts";

/** Milliseconds without a sign of life after which a process counts as dead. */
export const DEAD_MS = 60_000;
/** A sign of life from the future is believed for so many milliseconds: a clock that went back. */
const AHEAD_MS = 3_600_000;

/** Times between which a living process was last seen. */
export function aliveSpan(now: number): readonly [number, number] {
  return [now - DEAD_MS, now + AHEAD_MS];
}

const SQL = {
  spend: `SELECT total(measured) AS measured,
    total(estimated) AS estimated, total(records) AS records,
    total(estimated_records) AS estimated_records FROM spend WHERE hour >= ?`,
  reserved: `SELECT total(nano_usd) AS reserved,
    total(iif(process = ?, 0, nano_usd)) AS by_others FROM reservations
    JOIN processes ON processes.id = reservations.process
    WHERE seen_at BETWEEN ? AND ? AND at BETWEEN ? AND ?`,
  run: `SELECT sums FROM run_sums WHERE run = ?`,
  resets: `SELECT number FROM resets WHERE run = ?`,
  form: `SELECT 1 FROM run_forms WHERE run = ? AND key = ?`,
  requests: `SELECT 1 FROM requests WHERE id = ?`,
  given: `SELECT 1 FROM given_back WHERE id = ?`,
} as const;

/** Spend as the database has it. */
export interface KnownSpend extends Spend {
  /** The part of `reservedNanoUsd` that other processes hold. */
  readonly reservedByOthersNanoUsd: number;
  /** Milliseconds since the Unix epoch at which it was read. */
  readonly readAt: number;
}

/** What the processes of a run have counted. */
export interface RunState {
  /** Times that they began anew. */
  readonly resets: number;
  /** JSON of sums since the last time; `undefined` for none. */
  readonly sums: string | undefined;
}

/** Prepared reads on one connection. Each throws what the database throws. */
export class LedgerReads {
  readonly #db: DatabaseSync;
  readonly #sql: Statements<keyof typeof SQL>;

  /** The tables must be there. */
  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#sql = new Statements(db, SQL);
  }

  /** Reads what belongs together: nothing that is written meanwhile is seen. */
  snapshot<T>(read: () => T): T {
    this.#db.exec("BEGIN");
    try {
      return read();
    } finally {
      this.#db.exec("COMMIT");
    }
  }

  /** Spend of the period that holds `now`, and what living processes have reserved, `process` and the others. */
  spend(period: BudgetPeriod, now: number, process: string): KnownSpend {
    const start = periodStart(period, now);
    const row = this.#sql.get("spend", start) ?? {};
    const held = this.#sql.get(
      "reserved",
      process,
      ...aliveSpan(now),
      ...believedSpan(now),
    );
    return {
      periodStart: start,
      measuredNanoUsd: Number(row["measured"]),
      estimatedNanoUsd: Number(row["estimated"]),
      records: Number(row["records"]),
      estimatedRecords: Number(row["estimated_records"]),
      reservedNanoUsd: Number(held?.["reserved"]),
      reservedByOthersNanoUsd: Number(held?.["by_others"]),
      readAt: now,
    };
  }

  /** What a run has counted. */
  run(run: string): RunState {
    const sums = this.#sql.get("run", run)?.["sums"];
    return {
      resets: Number(this.#sql.get("resets", run)?.["number"] ?? 0),
      sums: sums === undefined ? undefined : String(sums),
    };
  }

  /** Whether a form was counted in a run. */
  hasForm(run: string, key: string): boolean {
    return this.#sql.get("form", run, key) !== undefined;
  }

  /** Whether the row of this id is in the table. */
  has(table: "requests" | "given", id: string): boolean {
    return this.#sql.get(table, id) !== undefined;
  }
}
