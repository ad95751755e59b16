/** What the writer does for the ledger. @module */
import type { Budget, BudgetPeriod, BudgetRefusal } from "../core/cost.ts";
import type { Log } from "../core/log.ts";
import type { Writer, WriterChannel } from "../writer/writer.ts";
import type { KnownSpend } from "./reads.ts";
import type { RequestRow, RowOwner } from "./rows.ts";

/** What the worker is told first. */
export interface LedgerWorkSettings extends RowOwner {
  /** Path of a database whose tables are there. */
  readonly path: string;
  /** Number of this process in its run; what an earlier process of the same number held is given back. */
  readonly slot: number | undefined;
}

/** What is done whether or not anybody waits for it. */
export type KeptTask =
  /** Books a finished request and gives back what was reserved for it; twice is once. */
  | { readonly type: "insert"; readonly row: RequestRow }
  /** Notes an original given back through another door; `event` is JSON, and twice the same `id` is once. */
  | { readonly type: "given"; readonly id: string; readonly event: string }
  /** Begins the counts of the run anew behind what is there; each time that it is done. */
  | { readonly type: "reset" }
  /** Notes a reservation that was made `at` without the database, in milliseconds since the Unix epoch. */
  | {
    readonly type: "reserve";
    readonly id: string;
    readonly nanoUsd: number;
    readonly at: number;
  }
  /** Takes a reservation back. */
  | { readonly type: "release"; readonly id: string };

/** What somebody waits for. */
export type AskedTask =
  /** Reserves; answers with a refusal or nothing. */
  | {
    readonly type: "admit";
    readonly id: string;
    readonly nanoUsd: number;
    readonly budget: Budget;
  }
  /** Wants so many places in all for this process; answers with how many it has. */
  | { readonly type: "places"; readonly wanted: number; readonly limit: number }
  /** Takes one request of a caller's share; answers with the milliseconds to wait. */
  | {
    readonly type: "take";
    readonly caller: string;
    readonly perMinute: number;
  }
  /** Says that this process lives. */
  | { readonly type: "heartbeat" }
  /** As `heartbeat`; succeeds only where budgets can be read and written. */
  | { readonly type: "probe" }
  /** Gives back all that this process holds. */
  | { readonly type: "leave" };

/** One thing for the worker to do. */
export type LedgerTask = KeptTask | AskedTask;

/** One transaction. */
export interface LedgerJob {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** In this order. */
  readonly tasks: readonly LedgerTask[];
  /** The period whose spend is answered; `undefined` when nobody wants to know. */
  readonly period: BudgetPeriod | undefined;
}

/** Answer to one task; `undefined` where there is nothing to say. */
export type TaskAnswer = number | BudgetRefusal | undefined;

/** What a transaction left behind. */
export interface LedgerWritten {
  /** One per task. */
  readonly answers: readonly TaskAnswer[];
  /** Spend of the period after it; `undefined` when nobody wanted to know or nothing was changed. */
  readonly spend: KnownSpend | undefined;
}

/** The way to the ledger's database. */
export type LedgerChannel = WriterChannel<LedgerJob, LedgerWritten>;

/** Opens it. */
export function openLedgerChannel(
  writer: Writer,
  settings: LedgerWorkSettings,
  log: Log,
): LedgerChannel {
  return writer.open<LedgerJob, LedgerWritten>({
    database: "ledger",
    settings,
    title: "the ledger",
    slug: "ledger",
    log,
  });
}
