/** Reads of the ledger's database. Sums are read as floating point: beyond 2^53 they are rounded instead of refused. @module */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { BudgetPeriod } from "../core/cost.ts";
import type { RequestRecord } from "../core/ledger.ts";
import type { RetrievalEvent } from "../core/store.ts";
import { believedSpan, periodStart, type Spend } from "./budget_rule.ts";
import type { LifetimeCounts } from "./cost_report.ts";
import {
  recordOf,
  REQUEST_COLUMNS,
  type RequestRow,
  type RowOwner,
} from "./rows.ts";

/** Milliseconds without a sign of life after which a process counts as dead. */
export const DEAD_MS = 60_000;
/** A sign of life from the future is believed for so many milliseconds: a clock that went back. */
const AHEAD_MS = 3_600_000;

/** Times between which a living process was last seen. */
export function aliveSpan(now: number): readonly [number, number] {
  return [now - DEAD_MS, now + AHEAD_MS];
}

const asReal = (column: string) => `CAST(${column} AS REAL) AS ${column}`;

const TOTALS = `SELECT requests, ${
  [
    "input",
    "output",
    "saved",
    "added",
    "nano_usd",
    "saved_gross",
    "saved_net",
  ].map(asReal).join(", ")
}, unpriced FROM totals`;
const SPEND = `SELECT total(measured) AS measured,
  total(estimated) AS estimated, total(records) AS records,
  total(estimated_records) AS estimated_records FROM spend WHERE hour >= ?`;
const RESERVED = `SELECT total(nano_usd) AS reserved,
  total(iif(process = ?, 0, nano_usd)) AS by_others FROM reservations
  JOIN processes ON processes.id = reservations.process
  WHERE seen_at BETWEEN ? AND ? AND at BETWEEN ? AND ?`;
const OTHERS = `run = ? AND seq > ? AND process <> ? ORDER BY seq LIMIT ?`;
const REQUESTS = `SELECT seq, ${
  REQUEST_COLUMNS.join(", ")
} FROM requests WHERE ${OTHERS}`;
const GIVEN = `SELECT seq, event FROM given_back WHERE ${OTHERS}`;

/** Spend as the database has it. */
export interface KnownSpend extends Spend {
  /** The part of `reservedNanoUsd` that other processes hold. */
  readonly reservedByOthersNanoUsd: number;
  /** Milliseconds since the Unix epoch at which it was read. */
  readonly readAt: number;
}

/** What another process of the run did, and where to go on. */
export interface OthersRows<T> {
  /** In the order in which they were written. */
  readonly rows: readonly T[];
  /** `seq` of the last of them, or where the look began. */
  readonly last: number;
}

/** Prepared reads on one connection. Each throws what the database throws. */
export class LedgerReads {
  readonly #totals: StatementSync;
  readonly #spend: StatementSync;
  readonly #reserved: StatementSync;
  readonly #requests: StatementSync;
  readonly #given: StatementSync;

  /** The tables must be there. */
  constructor(db: DatabaseSync) {
    this.#totals = db.prepare(TOTALS);
    this.#spend = db.prepare(SPEND);
    this.#reserved = db.prepare(RESERVED);
    this.#requests = db.prepare(REQUESTS);
    this.#given = db.prepare(GIVEN);
  }

  /** Sums over all time. */
  lifetime(): LifetimeCounts {
    const row = this.#totals.get() ?? {};
    const of = (column: string) => Number(row[column]);
    return {
      requests: of("requests"),
      input: of("input"),
      output: of("output"),
      saved: of("saved"),
      added: of("added"),
      nanoUsd: of("nano_usd"),
      savedGross: of("saved_gross"),
      savedNet: of("saved_net"),
      unpriced: of("unpriced"),
    };
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

  /** Requests of the run's other processes behind `seq`, at most `limit`. */
  requests(
    { run, process }: RowOwner,
    seq: number,
    limit: number,
  ): OthersRows<RequestRecord> {
    const rows = this.#requests.all(run, seq, process, limit);
    return {
      // The columns are those of a row.
      rows: rows.map((row) => recordOf(row as unknown as RequestRow)),
      last: Number(rows.at(-1)?.["seq"] ?? seq),
    };
  }

  /** Originals that the run's other processes gave back through other doors; as {@linkcode LedgerReads.requests}. */
  given(
    { run, process }: RowOwner,
    seq: number,
    limit: number,
  ): OthersRows<RetrievalEvent> {
    const rows = this.#given.all(run, seq, process, limit);
    return {
      rows: rows.map((row) =>
        JSON.parse(String(row["event"])) as RetrievalEvent
      ),
      last: Number(rows.at(-1)?.["seq"] ?? seq),
    };
  }
}
