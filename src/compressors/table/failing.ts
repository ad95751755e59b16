/** Rows that say that something failed. @module */
import type { Lines } from "../../text/lines.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { cellSeverities, excuseRefused } from "../../text/signs/severity.ts";
import { fails, keyKind } from "../../text/signs/values.ts";
import type { Profile } from "./profile.ts";
import {
  cellText,
  firstBodyRow,
  isListing,
  rowSource,
  type Table,
} from "./table.ts";

/** `READY 0/1`, and states of processes. */
const READY = /^READY$/i;
const STATE = /^(?:STAT|S)$/;
const SHARE = /^(\d{1,6})\/(\d{1,6})$/;
const QUOTES = /^"|"$/g;
/** Share of the rows from which on failing values of a column are its usual ones. */
const USUAL = 0.5;
const LEAST_USUAL = 10;

/** Marks the lines that say so in words. One byte per line, 1 for a failure. O(n). */
export function failingLines(lines: Lines): Uint8Array {
  const flags = cellSeverities(lines);
  excuseRefused(flags);
  return flags.map((flag) => flag & ERROR ? 1 : 0);
}

/**
 * Marks the rows of the body that say so in words, in values of named columns or by counts of what is ready.
 *
 * @param lines Of the whole text, by {@linkcode failingLines}.
 * @returns One byte per row. O(rows).
 */
export function failingRows(
  table: Table,
  profiles: readonly Profile[],
  lines: Uint8Array,
): Uint8Array {
  const failing = new Uint8Array(table.rows);
  const mark = (isFailing: (row: number) => boolean, mayBeUsual = true) => {
    const found: number[] = [];
    const first = firstBodyRow(table);
    for (let row = first; row < table.rows; row++) {
      if (isFailing(row)) found.push(row);
    }
    const isUsual = found.length >= LEAST_USUAL &&
      found.length > USUAL * (table.rows - first);
    if (mayBeUsual && isUsual) return;
    for (const row of found) failing[row] = 1;
  };
  // Words in a list of files or packages are names.
  if (!isListing(table)) {
    mark(
      (row) =>
        lines.subarray(table.rowLine[row]!, table.rowTo[row]!).includes(1),
      false,
    );
  }
  for (const { column } of profiles) {
    const name = table.names?.[column] ?? "";
    if (READY.test(name)) mark((row) => isUnready(table, row, column));
    else if (STATE.test(name)) {
      mark((row) => cellText(table, row, column).startsWith("Z"));
    } else {
      const kind = keyKind(name);
      if (kind === 0) continue;
      mark((row) =>
        !table.plain[row] &&
        fails(kind, cellText(table, row, column).replace(QUOTES, ""))
      );
    }
  }
  return failing;
}

/** `0/1`; a job that is done is ready no more. */
function isUnready(table: Table, row: number, column: number): boolean {
  const match = SHARE.exec(cellText(table, row, column));
  return match !== null && Number(match[1]) < Number(match[2]) &&
    !rowSource(table, row).includes("Completed");
}
