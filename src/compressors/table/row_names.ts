/** What a note says about the rows of a gap: their names, or the first and the last. @module */
import { cellText, firstBodyRow, isListing, type Table } from "./table.ts";

/** The column that names the rows. */
export interface RowNames {
  /** Its index. */
  readonly column: number;
  /** Whether a note gives all names, not only the ends of a gap in sorted names. */
  readonly isList: boolean;
}

/** Columns of a table that is a list of names with a few facts each. */
const LIST_COLUMNS = 3;
/** Rows of such a list up to which a note names those left out. */
const MOST_LISTED = 200;
/** UTF-16 units of a name. */
const LONGEST = 60;

/** The column of names; `undefined` when the rows have none, or it is not in order and too long for a list. O(rows). */
export function namesOf(table: Table): RowNames | undefined {
  const isShort = table.rows <= MOST_LISTED;
  if (isListing(table)) {
    const { name } = table.layout;
    const column = name === "ls -l"
      ? table.columns - 1
      : name === "dpkg -l"
      ? 1
      : 0;
    return { column, isList: isShort };
  }
  let last = "";
  let isSorted = true;
  for (let row = firstBodyRow(table); row < table.rows; row++) {
    if (table.plain[row]) continue;
    const name = cellText(table, row, 0);
    // A line of dashes below the header.
    if (row === 1 && /^-+$/.test(name)) continue;
    const lower = name.toLowerCase();
    if (name.length > LONGEST || !/[a-z]/.test(lower)) return undefined;
    isSorted &&= lower > last;
    last = lower;
  }
  const isList = isShort && table.columns <= LIST_COLUMNS;
  return isList || isSorted ? { column: 0, isList } : undefined;
}

/** `: a, b, c` or `: a … c` for rows `[from, to)`; empty when they have no names. */
export function namesBetween(
  table: Table,
  names: RowNames | undefined,
  [from, to]: readonly [number, number],
): string {
  if (names === undefined) return "";
  const nameAt = (row: number) => {
    const name = cellText(table, row, names.column);
    // The suite behind the slash is the same for most packages.
    return table.layout.name === "apt list" ? name.split("/", 1)[0]! : name;
  };
  if (names.isList) {
    const all = Array.from({ length: to - from }, (_, i) => nameAt(from + i));
    return `: ${all.join(", ")}`;
  }
  if (to - from === 1) return "";
  const ends = [nameAt(from), nameAt(to - 1)];
  return ends.every((name) => name !== "" && name.length <= LONGEST)
    ? `: ${ends.join(" … ")}`
    : "";
}
