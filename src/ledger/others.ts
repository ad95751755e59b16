/** Counting what the other processes of a run wrote. @module */
import type { LedgerReads, OthersRows } from "./reads.ts";
import type { RequestCounts } from "./request_counts.ts";
import type { RowOwner } from "./rows.ts";

/** Rows that are counted in one turn: a few milliseconds. */
const ROWS_PER_TURN = 500;

/** What is needed. */
export interface OthersParts {
  /** Where others write. */
  readonly reads: Pick<LedgerReads, "requests" | "given">;
  /** This process, whose own rows are passed over. */
  readonly owner: RowOwner;
  /** Where they are counted. */
  readonly counts: Pick<RequestCounts, "add" | "retrieved">;
}

/** Knows what was counted before, so that each row counts once. */
export class Others {
  readonly #parts: OthersParts;
  #requests = 0;
  #given = 0;

  /** Counts nothing yet. */
  constructor(parts: OthersParts) {
    this.#parts = parts;
  }

  /** Counts the next rows; says whether there may be more. Throws what the database throws. */
  count(): boolean {
    const { reads, owner, counts } = this.#parts;
    // Forms first: what was given back counts in the tables where its form does.
    const requests = reads.requests(owner, this.#requests, ROWS_PER_TURN);
    for (const entry of requests.rows) counts.add(entry);
    this.#requests = requests.last;
    if (isFull(requests)) return true;
    const given = reads.given(owner, this.#given, ROWS_PER_TURN);
    for (const event of given.rows) counts.retrieved(event);
    this.#given = given.last;
    return isFull(given);
  }
}

function isFull({ rows }: OthersRows<unknown>): boolean {
  return rows.length === ROWS_PER_TURN;
}
