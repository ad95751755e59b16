/** What the worker writes for the ledger. @module */
import type { DatabaseSync } from "node:sqlite";
import type { BudgetRefusal } from "../core/cost.ts";
import { inTransaction } from "../writer/in_transaction.ts";
import { refusalOf, reservationOf } from "./budget_rule.ts";
import type {
  LedgerJob,
  LedgerTask,
  LedgerWorkSettings,
  LedgerWritten,
  TaskAnswer,
} from "./channel.ts";
import { type CountedForms, countTask } from "./count_row.ts";
import { aliveSpan, LedgerReads } from "./reads.ts";
import { RowSums } from "./row_sums.ts";
import { cellsOf, INSERT_REQUEST, type RequestRow } from "./rows.ts";
import { RunSums } from "./run_sums.ts";
import { Statements } from "./statements.ts";

/** A process that writes anyway says so often, in milliseconds, that it lives. */
const SEEN_MS = 10_000;
const MINUTE_MS = 60_000;

/** Tasks after which the spend is told. */
const CHANGES_SPEND: ReadonlySet<LedgerTask["type"]> = new Set([
  "insert",
  "admit",
  "reserve",
  "release",
  "probe",
]);

const SQL = {
  insert: INSERT_REQUEST,
  given: `INSERT INTO given_back (id, run, process, event)
    VALUES (?, ?, ?, '') ON CONFLICT (id) DO NOTHING`,
  reset: `INSERT INTO resets (run, number, at, requests, given)
    VALUES (?, 1, ?, 0, 0)
    ON CONFLICT (run) DO UPDATE SET number = number + 1, at = excluded.at`,
  setSums: `INSERT OR REPLACE INTO run_sums (run, sums) VALUES (?, ?)`,
  version: "PRAGMA data_version",
  addForm: `INSERT INTO run_forms (run, key) VALUES (?, ?)
    ON CONFLICT (run, key) DO NOTHING`,
  hasForm: `SELECT 1 FROM run_forms WHERE run = ? AND key = ?`,
  forgetSums: `DELETE FROM run_sums WHERE run = ?`,
  forgetForms: `DELETE FROM run_forms WHERE run = ?`,
  reserve: `INSERT OR REPLACE INTO reservations (id, process, at, nano_usd)
    VALUES (?, ?, ?, ?)`,
  release: `DELETE FROM reservations WHERE id = ?`,
  seen: `INSERT INTO processes (id, run, slot, seen_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
  replace: `DELETE FROM processes WHERE run = ? AND slot = ? AND id <> ?`,
  places: `UPDATE processes SET places = ? WHERE id = ?`,
  placesOfOthers: `SELECT total(places) AS places FROM processes
    WHERE run = ? AND id <> ? AND seen_at BETWEEN ? AND ?`,
  rate: `SELECT at, left FROM rates WHERE run = ? AND caller = ?`,
  setRate:
    `INSERT OR REPLACE INTO rates (run, caller, at, left) VALUES (?, ?, ?, ?)`,
  leave: `DELETE FROM processes WHERE id = ?`,
} as const;

/** Runs jobs on the write connection. */
export class LedgerTransactions {
  readonly #db: DatabaseSync;
  readonly #settings: LedgerWorkSettings;
  readonly #reads: LedgerReads;
  readonly #sums: RowSums;
  readonly #sql: Statements<keyof typeof SQL>;
  #seenAt: number | undefined;
  /** Sums of the run, if this connection was the last that wrote. */
  #known: RunSums | undefined;
  #version: unknown;
  #hasCounted = false;
  /** Rows that are not in the tables of sums yet. */
  #inserted: RequestRow[] = [];
  readonly #forms: CountedForms = {
    add: (key) => this.#sql.run("addForm", this.#settings.run, key) > 0,
    has: (key) =>
      this.#sql.get("hasForm", this.#settings.run, key) !== undefined,
  };

  /** The tables must be there. */
  constructor(db: DatabaseSync, settings: LedgerWorkSettings) {
    this.#db = db;
    this.#settings = settings;
    this.#sql = new Statements(db, SQL);
    this.#reads = new LedgerReads(db);
    this.#sums = new RowSums(db);
  }

  /** All tasks or none. Throws what the database throws. */
  run({ now, tasks, period }: LedgerJob): LedgerWritten {
    const before = this.#seenAt;
    try {
      return inTransaction(this.#db, () => {
        if (tasks.some(({ type }) => type !== "leave")) {
          this.#seen(now, tasks.some(({ type }) => type === "probe"));
        }
        this.#hasCounted = false;
        this.#inserted = [];
        const answers = tasks.map((task) => this.#do(task, now));
        this.#writeCounted();
        this.#countInserted();
        const changed = tasks.some(({ type }) => CHANGES_SPEND.has(type));
        return {
          answers,
          spend: period !== undefined && changed
            ? this.#reads.spend(period, now, this.#settings.process)
            : undefined,
        };
      });
    } catch (error) {
      this.#seenAt = before;
      this.#known = undefined;
      throw error;
    }
  }

  #do(task: LedgerTask, now: number): TaskAnswer {
    const { run, process } = this.#settings;
    switch (task.type) {
      case "insert": {
        const { row } = task;
        const inserted = this.#sql.run("insert", ...cellsOf(row));
        if (inserted > 0) {
          countTask(this.#counted(), task, this.#forms);
          this.#inserted.push(row);
        }
        this.#sql.run("release", row.id);
        return;
      }
      case "given": {
        const noted = this.#sql.run("given", task.id, run, process);
        if (noted > 0) countTask(this.#counted(), task, this.#forms);
        return;
      }
      case "reset":
        this.#sql.run("reset", run, now);
        this.#forget();
        return;
      case "release":
        this.#sql.run("release", task.id);
        return;
      case "reserve":
        this.#reserve(task.id, task.nanoUsd, task.at);
        return;
      case "admit":
        return this.#admit(task, now);
      case "places":
        return this.#places(task.wanted, task.limit, now);
      case "take":
        return this.#take(task.caller, task.perMinute, now);
      case "heartbeat":
      case "probe":
        return;
      case "leave":
        this.#seenAt = undefined;
        this.#sql.run("leave", process);
        // Others of the run go on, though they may not have been seen of late.
        if (this.#settings.slot === undefined) this.#forget();
    }
  }

  /** Sums of the run. */
  #counted(): RunSums {
    const version = this.#sql.get("version")?.["data_version"];
    this.#hasCounted = true;
    if (this.#known === undefined || version !== this.#version) {
      this.#known = new RunSums(this.#reads.run(this.#settings.run).sums);
      this.#version = version;
    }
    return this.#known;
  }

  #writeCounted(): void {
    if (this.#known === undefined || !this.#hasCounted) return;
    this.#sql.run("setSums", this.#settings.run, JSON.stringify(this.#known));
  }

  #countInserted(): void {
    this.#sums.count(this.#inserted);
    this.#inserted = [];
  }

  #forget(): void {
    this.#known = undefined;
    this.#sql.run("forgetSums", this.#settings.run);
    this.#sql.run("forgetForms", this.#settings.run);
  }

  #admit(
    { id, nanoUsd, budget }: LedgerTask & { readonly type: "admit" },
    now: number,
  ): BudgetRefusal | undefined {
    this.#countInserted();
    const { process } = this.#settings;
    const spend = this.#reads.spend(budget.period, now, process);
    const refusal = refusalOf(budget, spend, now);
    if (refusal !== undefined) return refusal;
    this.#reserve(id, nanoUsd, now);
    return undefined;
  }

  #reserve(id: string, nanoUsd: number, at: number): void {
    const { process } = this.#settings;
    this.#sql.run("reserve", id, process, at, reservationOf(nanoUsd));
  }

  #places(wanted: number, limit: number, now: number): number {
    const { run, process } = this.#settings;
    const row = this.#sql.get(
      "placesOfOthers",
      run,
      process,
      ...aliveSpan(now),
    );
    const free = Math.max(0, limit - Number(row?.["places"]));
    const places = Math.min(wanted, free);
    this.#sql.run("places", places, process);
    return places;
  }

  /** A bucket of a minute's requests that fills all the time. */
  #take(caller: string, perMinute: number, now: number): number {
    const { run } = this.#settings;
    const row = this.#sql.get("rate", run, caller);
    const perMs = perMinute / MINUTE_MS;
    const passed = row === undefined ? 0 : Math.max(0, now - Number(row["at"]));
    const had = row === undefined ? perMinute : Number(row["left"]);
    const left = Math.min(perMinute, had + passed * perMs);
    const mayPass = left >= 1;
    this.#sql.run("setRate", run, caller, now, mayPass ? left - 1 : left);
    return mayPass ? 0 : Math.max(1, Math.ceil((1 - left) / perMs));
  }

  /** Says that this process lives; not every time unless `isAsked`. */
  #seen(now: number, isAsked: boolean): void {
    const { run, process, slot } = this.#settings;
    const isFresh = !isAsked && this.#seenAt !== undefined &&
      Math.abs(now - this.#seenAt) < SEEN_MS;
    if (isFresh) return;
    if (this.#seenAt === undefined && slot !== undefined) {
      this.#sql.run("replace", run, slot, process);
    }
    this.#sql.run("seen", process, run, slot ?? null, now);
    this.#seenAt = now;
  }
}
