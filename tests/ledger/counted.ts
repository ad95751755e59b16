/** Sums of a run without a database. */
import type { RequestRecord } from "../../src/core/ledger.ts";
import { succeeded } from "../../src/core/outcome.ts";
import type { RetrievalEvent } from "../../src/core/store.ts";
import type { LedgerTask } from "../../src/ledger/channel.ts";
import { type CountedForms, countTask } from "../../src/ledger/count_row.ts";
import { rowOf } from "../../src/ledger/rows.ts";
import { RunSums } from "../../src/ledger/run_sums.ts";
import { RECORD } from "./samples.ts";

const OWNER = { run: "r", process: "p" };

/** The task of a finished request. */
export function bookOf(entry: RequestRecord): LedgerTask & { type: "insert" } {
  const forms = succeeded(entry) ? entry.forms : [];
  return { type: "insert", row: rowOf(entry, OWNER, forms) };
}

/** The task of an original that was given back. */
export function givenOf(event: RetrievalEvent): LedgerTask {
  return { type: "given", id: "g", event: JSON.stringify(event) };
}

/** Forms that are in a set. */
export function formsIn(keys: Set<string>): CountedForms {
  return {
    has: (key) => keys.has(key),
    add: (key) => !keys.has(key) && keys.add(key).size > 0,
  };
}

/** Counts tasks in this order. */
export function sumsOfTasks(tasks: readonly LedgerTask[]): RunSums {
  const sums = new RunSums();
  const forms = formsIn(new Set());
  for (const task of tasks) countTask(sums, task, forms);
  return sums;
}

/** Counts requests; what is not given of them is as in the sample. */
export function counted(
  ...records: readonly Partial<RequestRecord>[]
): RunSums {
  return sumsOfTasks(
    records.map((record) => bookOf({ ...RECORD, ...record })),
  );
}
