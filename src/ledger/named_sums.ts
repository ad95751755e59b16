/** Sums by name, bounded. @module */
import type { RequestRecord } from "../core/ledger.ts";
import type { NamedSums, Sums } from "../core/ledger_reader.ts";
import { bounded, OTHER, UNKNOWN } from "./bounded_table.ts";
import { addedBy, removedBy, took } from "./outcome.ts";
import { ADDED, type Shares } from "./saved_by.ts";
import {
  addSums,
  noSums,
  type RunningSums,
  type SumsReport,
  sumsReport,
} from "./sums.ts";

/** Sums of requests with a name in common, e.g. a model: the table sums up to the totals. */
export class SumsByName {
  readonly #rows = new Map<string, RunningSums>();

  /** Adds requests of this name. */
  add(name: string, sums: Sums): void {
    addSums(rowOf(this.#rows, name), sums);
  }

  /** Requests by name. */
  requests(): Readonly<Record<string, number>> {
    return Object.fromEntries(
      [...this.#rows].map(([name, { requests }]) => [name, requests]),
    );
  }

  /** Sums by name. */
  report(): Readonly<Record<string, SumsReport>> {
    return Object.fromEntries(
      [...this.#rows].map(([name, sums]) => [name, sumsReport(sums)]),
    );
  }
}

/** Tokens saved by what forms have in common, e.g. a tool: the table sums up to the tokens saved in all. */
export class SavedByForm {
  readonly #rows = new Map<string, number>();

  /**
   * Adds one request: what its forms save, each under its name, and what was added, less than 0, under
   * {@linkcode ADDED}.
   *
   * @param shares Of all its forms, also those that were sent before.
   */
  add(entry: RequestRecord, shares: Shares): void {
    if (!took(entry)) return;
    let rest = removedBy(entry);
    for (const [name, tokens] of shares) {
      const row = bounded(this.#rows, name || UNKNOWN);
      // A client may call its tool anything.
      this.#count(row === ADDED ? OTHER : row, tokens);
      rest -= tokens;
    }
    if (rest !== 0) this.#count(OTHER, rest);
    const added = addedBy(entry);
    if (added !== 0) this.#count(ADDED, -added);
  }

  /** Tokens by name. */
  report(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#rows);
  }

  #count(name: string, tokens: number): void {
    this.#rows.set(name, (this.#rows.get(name) ?? 0) + tokens);
  }
}

/** The table of what was read from the ledger, which has bounded it; what has no name is `unknown`. */
export function namedReports(
  rows: readonly NamedSums[],
): Readonly<Record<string, SumsReport>> {
  const table = new Map<string, RunningSums>();
  for (const { name, ...sums } of rows) {
    const row = table.get(name || UNKNOWN) ?? noSums();
    table.set(name || UNKNOWN, row);
    addSums(row, sums);
  }
  return Object.fromEntries(
    [...table].map(([name, sums]) => [name, sumsReport(sums)]),
  );
}

function rowOf(table: Map<string, RunningSums>, wanted: string): RunningSums {
  const name = bounded(table, wanted || UNKNOWN);
  const row = table.get(name) ?? noSums();
  if (row.requests === 0) table.set(name, row);
  return row;
}
