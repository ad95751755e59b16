/** Reads of the ledger's database. Sums are read as floating point: beyond 2^53 they are rounded instead of refused. @module */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { BudgetPeriod } from "../core/cost.ts";
import type { RequestRecord } from "../core/ledger.ts";
import type { RetrievalEvent } from "../core/store.ts";
import { believedSpan, periodStart, type Spend } from "./budget_rule.ts";
import { type FormShares, savedShares } from "./named_sums.ts";
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

const SPEND = `SELECT total(measured) AS measured,
  total(estimated) AS estimated, total(records) AS records,
  total(estimated_records) AS estimated_records FROM spend WHERE hour >= ?`;
const RESERVED = `SELECT total(nano_usd) AS reserved,
  total(iif(process = ?, 0, nano_usd)) AS by_others FROM reservations
  JOIN processes ON processes.id = reservations.process
  WHERE seen_at BETWEEN ? AND ? AND at BETWEEN ? AND ?`;
const OTHERS = `run = ? AND seq > ? AND (process <> ? OR seq <= ?)
  ORDER BY seq LIMIT ?`;
const REQUESTS = `SELECT seq, ${
  REQUEST_COLUMNS.join(", ")
} FROM requests WHERE ${OTHERS}`;
const GIVEN = `SELECT seq, event FROM given_back WHERE ${OTHERS}`;
const ENDS = `SELECT (SELECT ifnull(max(seq), 0) FROM requests) AS requests,
  (SELECT ifnull(max(seq), 0) FROM given_back) AS given`;
const RESET = `SELECT number, requests, given FROM resets WHERE run = ?`;
const HAS = {
  requests: `SELECT 1 FROM requests WHERE id = ? AND seq <= ?`,
  given: `SELECT 1 FROM given_back WHERE id = ? AND seq <= ?`,
} as const;

/** Spend as the database has it. */
export interface KnownSpend extends Spend {
  /** The part of `reservedNanoUsd` that other processes hold. */
  readonly reservedByOthersNanoUsd: number;
  /** Milliseconds since the Unix epoch at which it was read. */
  readonly readAt: number;
}

/** Positions in both tables of what the processes of a run did; 0 stands before everything. */
export interface Positions {
  /** `seq` of a request. */
  readonly requests: number;
  /** `seq` of an original given back. */
  readonly given: number;
}

/** The last time that the counts of a run were begun anew. */
export interface RunReset {
  /** Tells it from those before. */
  readonly number: number;
  /** Behind which rows they began. */
  readonly behind: Positions;
}

/** Which rows are looked at. */
export interface OthersQuery {
  /** Those behind this `seq`. */
  readonly after: number;
  /** Rows of the process itself are looked at up to this one. */
  readonly ownUntil: number;
  /** Rows at most. */
  readonly limit: number;
}

/** A request of another process. */
export interface OthersRequest {
  /** As it was, but `forms` are only those that were new in it. */
  readonly entry: RequestRecord;
  /** What all of its forms save. */
  readonly saved: FormShares;
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
  readonly #spend: StatementSync;
  readonly #reserved: StatementSync;
  readonly #requests: StatementSync;
  readonly #given: StatementSync;
  readonly #ends: StatementSync;
  readonly #reset: StatementSync;
  readonly #has: Readonly<Record<keyof typeof HAS, StatementSync>>;

  /** The tables must be there. */
  constructor(db: DatabaseSync) {
    this.#spend = db.prepare(SPEND);
    this.#reserved = db.prepare(RESERVED);
    this.#requests = db.prepare(REQUESTS);
    this.#given = db.prepare(GIVEN);
    this.#ends = db.prepare(ENDS);
    this.#reset = db.prepare(RESET);
    this.#has = {
      requests: db.prepare(HAS.requests),
      given: db.prepare(HAS.given),
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

  /** Requests of the run's other processes. */
  requests(
    { run, process }: RowOwner,
    { after, ownUntil, limit }: OthersQuery,
  ): OthersRows<OthersRequest> {
    const rows = this.#requests.all(run, after, process, ownUntil, limit);
    return {
      // The columns are those of a row.
      rows: rows.map((row) => requestOf(row as unknown as RequestRow)),
      last: Number(rows.at(-1)?.["seq"] ?? after),
    };
  }

  /** Originals that the run's other processes gave back through other doors; as {@linkcode LedgerReads.requests}. */
  given(
    { run, process }: RowOwner,
    { after, ownUntil, limit }: OthersQuery,
  ): OthersRows<RetrievalEvent> {
    const rows = this.#given.all(run, after, process, ownUntil, limit);
    return {
      rows: rows.map((row) =>
        JSON.parse(String(row["event"])) as RetrievalEvent
      ),
      last: Number(rows.at(-1)?.["seq"] ?? after),
    };
  }

  /** Where both tables end. */
  ends(): Positions {
    return positionsOf(this.#ends.get());
  }

  /** The last reset of a run; `undefined` when there was none. */
  reset(run: string): RunReset | undefined {
    const row = this.#reset.get(run);
    return row && { number: Number(row["number"]), behind: positionsOf(row) };
  }

  /** Whether the row of this id is in the table, at `until` or before. */
  has(table: keyof Positions, id: string, until: number): boolean {
    return this.#has[table].get(id, until) !== undefined;
  }
}

/** What a row says of its request. */
export function requestOf(row: RequestRow): OthersRequest {
  return { entry: recordOf(row), saved: savedShares(row.saved_by) };
}

function positionsOf(row: Record<string, unknown> | undefined): Positions {
  return { requests: Number(row?.["requests"]), given: Number(row?.["given"]) };
}
