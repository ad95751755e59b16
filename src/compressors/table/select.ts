/** Which rows of a table stay. @module */
import { bestLines, queryTerms } from "../../text/relevance.ts";
import type { Lines } from "../../text/lines.ts";
import { failingLines, failingRows } from "./failing.ts";
import { type Profile, profilesOf } from "./profile.ts";
import { standoutRows } from "./standout.ts";
import { cellText, firstBodyRow, type Table } from "./table.ts";

/** What is known about the lines of a text before its tables are looked at. */
export interface Sight {
  /** 1 for a line that says that something failed. */
  readonly failing: Uint8Array;
  /** 1 for a line that fits the query. */
  readonly wanted: Uint8Array;
}

/** The rows of one table that stay. */
export interface Selection {
  /** One byte per row, 1 for a row that stays. */
  readonly keep: Uint8Array;
  /** One byte per row, 1 for a row that says that something failed. */
  readonly failing: Uint8Array;
  /** Of the columns. */
  readonly profiles: readonly Profile[];
}

/** Rows of each end that stay. */
const HEAD = 4;
const TAIL = 2;
/** Lines that best fit the query. */
const QUERY_LINES = 12;
/** Up to here all failing rows stay. */
const ALL_FAILING = 24;
/** Of more, those of each kind that stay. */
const FAILING_FIRST = 2;
const MOST_KINDS = 12;
/** Share of failing rows above which failure is what the table is about. */
const ALL_FAIL = 0.5;
/** Rows that are written as they were and stay. */
const MOST_PLAIN = 8;
const MOST_TOTALS = 12;
const TOTAL =
  /^["'*\s(]*(?:grand |sub)?(?:total|sum|overall|average|avg|mean|median|all files)\b/i;

/** Looks at all lines of a text once. O(n). */
export function sightOf(lines: Lines, query: string): Sight {
  const wanted = new Uint8Array(lines.count);
  for (const { line } of bestLines(lines, queryTerms(query), QUERY_LINES)) {
    wanted[line] = 1;
  }
  return { failing: failingLines(lines), wanted };
}

/**
 * Marks both ends, failures, totals, extremes, outliers, changes, rare values and what fits the query.
 *
 * @param sight Of the text that holds the table. O(cells).
 */
export function selectRows(table: Table, sight: Sight): Selection {
  const profiles = profilesOf(table);
  const failing = failingRows(table, profiles, sight.failing);
  const keep = new Uint8Array(table.rows);
  const first = firstBodyRow(table);
  keep.fill(1, 0, Math.min(table.rows, first + HEAD));
  keep.fill(1, Math.max(0, table.rows - TAIL));
  for (const row of standoutRows(profiles)) keep[row] = 1;
  keepFailing(table, { keep, failing, profiles });
  let plain = 0;
  let totals = 0;
  for (let row = first; row < table.rows; row++) {
    for (let line = table.rowLine[row]!; line < table.rowTo[row]!; line++) {
      if (sight.wanted[line]) keep[row] = 1;
    }
    if (table.plain[row]) {
      if (plain++ < MOST_PLAIN) keep[row] = 1;
    } else if (TOTAL.test(cellText(table, row, 0)) && totals++ < MOST_TOTALS) {
      keep[row] = 1;
    }
  }
  return { keep, failing, profiles };
}

/** Keeps all failing rows, or of many the first ones and the last of each kind. */
function keepFailing(
  table: Table,
  { keep, failing, profiles }: Selection,
): void {
  const rows: number[] = [];
  failing.forEach((byte, row) => byte && rows.push(row));
  if (rows.length <= ALL_FAILING) {
    for (const row of rows) keep[row] = 1;
    return;
  }
  if (rows.length > ALL_FAIL * table.rows) failing.fill(0);
  const kinds = new Map<string, number[]>();
  const columns = profiles.filter(({ categories }) => categories !== undefined);
  for (const row of rows) {
    const kind = columns.map(({ column }) => cellText(table, row, column))
      .join("\n");
    const members = kinds.get(kind);
    if (members !== undefined) members.push(row);
    else if (kinds.size < MOST_KINDS) kinds.set(kind, [row]);
  }
  for (const members of kinds.values()) {
    for (const row of members.slice(0, FAILING_FIRST)) keep[row] = 1;
    keep[members.at(-1)!] = 1;
  }
}
