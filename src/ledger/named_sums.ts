/** Sums by name, bounded. @module */
import type { RequestRecord } from "../core/ledger.ts";
import type { NamedSums, Sums } from "../core/ledger_reader.ts";
import { addTo, bounded, OTHER, Rows, UNKNOWN } from "./bounded_table.ts";
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
export class SumsByName extends Rows<RunningSums> {
  /** Of no requests. */
  constructor() {
    super(noSums);
  }

  /** Adds requests of this name. */
  add(name: string, sums: Sums): void {
    addSums(this.of(name), sums);
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
      addTo(this.#rows, row === ADDED ? OTHER : row, tokens);
      rest -= tokens;
    }
    if (rest !== 0) addTo(this.#rows, OTHER, rest);
    const added = addedBy(entry);
    if (added !== 0) addTo(this.#rows, ADDED, -added);
  }

  /** Tokens by name. */
  report(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#rows);
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
