/** Counting what the other processes of a run wrote. @module */
import type { RetrievalEvent } from "../core/store.ts";
import type { LedgerTask } from "./channel.ts";
import {
  type LedgerReads,
  type OthersRows,
  type Positions,
  requestOf,
} from "./reads.ts";
import { RequestCounts } from "./request_counts.ts";
import type { RowOwner } from "./rows.ts";

/** Rows that are counted in one turn: a few milliseconds. */
const ROWS_PER_TURN = 500;
const START: Positions = { requests: 0, given: 0 };

/** What is needed. */
export interface PeerProcessesParts {
  /** Where others write. */
  readonly reads: Pick<LedgerReads, "requests" | "given" | "reset" | "ends">;
  /** This process, whose own rows are passed over. */
  readonly owner: RowOwner;
  /** Where they are counted now. */
  readonly counts: () => Pick<RequestCounts, "add" | "retrieved">;
  /**
   * Begins the counts anew with what the process itself did and is not in the tables up to `ends`. Rows behind the
   * reset are counted afterwards, its own too.
   */
  readonly restart: (ends: Positions) => void;
}

/** Knows what was counted before, so that each row counts once. */
export class PeerProcesses {
  readonly #parts: PeerProcessesParts;
  #seen: Positions = START;
  /** Its own rows are counted up to these: they were counted before a reset. */
  #ownUntil: Positions = START;
  /** The last reset that was followed. */
  #reset = 0;

  /** Counts nothing yet. */
  constructor(parts: PeerProcessesParts) {
    this.#parts = parts;
  }

  /** Passes over what is there. Throws what the database throws. */
  skip(): void {
    this.#seen = this.#parts.reads.ends();
    this.#ownUntil = START;
  }

  /** Counts the next rows; says whether there may be more. Throws what the database throws. */
  count(): boolean {
    this.#follow();
    const { reads, owner, counts } = this.#parts;
    const query = (table: keyof Positions) => ({
      after: this.#seen[table],
      ownUntil: this.#ownUntil[table],
      limit: ROWS_PER_TURN,
    });
    // Forms first: what was given back counts in the tables where its form does.
    const requests = reads.requests(owner, query("requests"));
    for (const { entry, saved } of requests.rows) counts().add(entry, saved);
    this.#seen = { ...this.#seen, requests: requests.last };
    if (isFull(requests)) return true;
    const given = reads.given(owner, query("given"));
    for (const event of given.rows) counts().retrieved(event);
    this.#seen = { ...this.#seen, given: given.last };
    return isFull(given);
  }

  /** Goes back to the last reset, whoever asked for it: its place among the rows is the same for all processes. */
  #follow(): void {
    const { reads, owner, restart } = this.#parts;
    const reset = reads.reset(owner.run);
    if (reset === undefined || reset.number === this.#reset) return;
    const ends = reads.ends();
    this.#reset = reset.number;
    this.#seen = reset.behind;
    this.#ownUntil = ends;
    restart(ends);
  }
}

/**
 * Counts what a process did and is not in the file.
 *
 * @param unwritten In order.
 * @param isThere Whether a row of a table is there all the same: its transaction was not answered yet.
 */
export function countUnwritten(
  unwritten: Iterable<LedgerTask>,
  isThere: (table: keyof Positions, id: string) => boolean,
): RequestCounts {
  const counts = new RequestCounts();
  for (const task of unwritten) {
    if (task.type === "book") {
      const { entry, saved } = requestOf(task.row);
      if (!isThere("requests", entry.id)) counts.add(entry, saved);
    } else if (task.type === "given" && !isThere("given", task.id)) {
      // Written as one.
      counts.retrieved(JSON.parse(task.event) as RetrievalEvent);
    }
  }
  return counts;
}

function isFull({ rows }: OthersRows<unknown>): boolean {
  return rows.length === ROWS_PER_TURN;
}
