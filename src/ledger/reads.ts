/** Reads of the ledger's database. Sums are read as floating point: beyond 2^53 they are rounded instead of refused. @module */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { BudgetPeriod } from "../core/cost.ts";
import { believedSpan, periodStart, type Spend } from "./budget_rule.ts";

/** Milliseconds without a sign of life after which a process counts as dead. */
export const DEAD_MS = 60_000;
/** A sign of life from the future is believed for so many milliseconds: a clock that went back. */
const AHEAD_MS = 3_600_000;

/** Times between which a living process was last seen. */
export function aliveSpan(now: number): readonly [number, number] {
  return [now - DEAD_MS, now + AHEAD_MS];
}

const SPEND = `SELECT total(measured) AS measured,
  total(estimated) AS estimated, total(records) AS records,
  total(estimated_records) AS estimated_records FROM spend WHERE hour >= ?`;
const RESERVED = `SELECT total(nano_usd) AS reserved,
  total(iif(process = ?, 0, nano_usd)) AS by_others FROM reservations
  JOIN processes ON processes.id = reservations.process
  WHERE seen_at BETWEEN ? AND ? AND at BETWEEN ? AND ?`;
const RUN_SUMS = `SELECT sums FROM run_sums WHERE run = ?`;
const RESETS = `SELECT number FROM resets WHERE run = ?`;
const HAS_FORM = `SELECT 1 FROM run_forms WHERE run = ? AND key = ?`;
const HAS = {
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
  readonly #spend: StatementSync;
  readonly #reserved: StatementSync;
  readonly #run: StatementSync;
  readonly #resets: StatementSync;
  readonly #hasForm: StatementSync;
  readonly #has: Readonly<Record<keyof typeof HAS, StatementSync>>;
  readonly #db: DatabaseSync;

  /** The tables must be there. */
  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#spend = db.prepare(SPEND);
    this.#reserved = db.prepare(RESERVED);
    this.#run = db.prepare(RUN_SUMS);
    this.#resets = db.prepare(RESETS);
    this.#hasForm = db.prepare(HAS_FORM);
    this.#has = {
      requests: db.prepare(HAS.requests),
      given: db.prepare(HAS.given),
    };
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
    const row = this.#spend.get(start) ?? {};
    const held = this.#reserved.get(
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
    const sums = this.#run.get(run)?.["sums"];
    return {
      resets: Number(this.#resets.get(run)?.["number"] ?? 0),
      sums: sums === undefined ? undefined : String(sums),
    };
  }

  /** Whether a form was counted in a run. */
  hasForm(run: string, key: string): boolean {
    return this.#hasForm.get(run, key) !== undefined;
  }

  /** Whether the row of this id is in the table. */
  has(table: keyof typeof HAS, id: string): boolean {
    return this.#has[table].get(id) !== undefined;
  }
}
