/** Rows that share a name with one that reports a failure: what the test that failed printed, the same request. @module */
import { STRING, type Tape } from "../../text/json/tape.ts";
import { hashOf } from "../../text/signs/columns.ts";
import type { Profile } from "./profile.ts";

/** Rows that have a name in common, at most: more are no one thing, unless a good part of them fails. */
const FEW_ALIKE = 8;
const MOST_ALIKE = 24;
const FAILING_SHARE = 0.25;
/** Share of all rows that they are at most: a value of more is a group of the list. */
const MOST_SHARE = 0.1;
/** Failing rows of which others are looked for, and rows that are given. */
const MOST_FAILING = 40;
const MOST = 48;
/** Characters of a text that names something, quotes included. */
const SHORTEST = 6;
const LONGEST = 200;

/**
 * Finds the rows with the same text in a column as few failing rows have.
 *
 * @param codes One per character of the text. @returns Rows in order; none where many rows fail. O(cells).
 */
export function kinRows(
  tape: Tape,
  { failing, profiles, codes }: {
    readonly failing: ReadonlySet<number>;
    readonly profiles: readonly Profile[];
    readonly codes: Uint8Array;
  },
): readonly number[] {
  if (failing.size === 0 || failing.size > MOST_FAILING) return [];
  const kin = new Set<number>();
  for (const { column: { cells }, numbers, times } of profiles) {
    if (numbers !== undefined || times !== undefined) continue;
    for (const rows of alikeIn(tape, cells, { failing, codes })) {
      const failed = rows.filter((row) => failing.has(row)).length;
      const most = failed >= FAILING_SHARE * rows.length
        ? MOST_ALIKE
        : FEW_ALIKE;
      if (rows.length > Math.min(most, MOST_SHARE * cells.length)) continue;
      for (const row of rows) kin.add(row);
    }
  }
  return [...kin].filter((row) => !failing.has(row)).sort((a, b) => a - b)
    .slice(0, MOST);
}

/** The rows with each text that a failing row has in a column, up to one more than may be alike. */
function alikeIn(
  tape: Tape,
  cells: Int32Array,
  { failing, codes }: {
    readonly failing: ReadonlySet<number>;
    readonly codes: Uint8Array;
  },
): Iterable<readonly number[]> {
  const rowsOf = new Map<number, number[]>();
  const lengths = new Uint8Array(LONGEST + 1);
  for (const row of failing) {
    const node = cells[row] ?? 0;
    const length = nameLength(tape, node);
    if (length === 0) continue;
    lengths[length] = 1;
    rowsOf.set(hashAt(tape, node, codes), []);
  }
  for (let row = 0; row < cells.length && rowsOf.size > 0; row++) {
    const node = cells[row] ?? 0;
    if (lengths[nameLength(tape, node)] !== 1) continue;
    const rows = rowsOf.get(hashAt(tape, node, codes));
    if (rows !== undefined && rows.length <= MOST_ALIKE) rows.push(row);
  }
  return rowsOf.values();
}

/** Characters of a text that may name something, quotes included; 0 for any other cell. */
function nameLength(tape: Tape, node: number): number {
  if (node === 0 || tape.kind(node) !== STRING) return 0;
  const length = tape.end(node) - tape.start(node);
  return length < SHORTEST || length > LONGEST ? 0 : length;
}

function hashAt(tape: Tape, node: number, codes: Uint8Array): number {
  return hashOf(codes, tape.start(node), tape.end(node));
}
