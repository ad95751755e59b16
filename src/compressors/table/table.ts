/** A table found in a text: rows and cells as offsets, and how it was laid out. @module */
import type { Lines } from "../../text/lines.ts";
import { type Layout, LISTINGS } from "./layout.ts";

/** Rows and cells of one table. Offsets count UTF-16 units of `lines.text`. */
export interface Table {
  /** The whole text. */
  readonly lines: Lines;
  /** First line of the table. */
  readonly from: number;
  /** Line behind its last line. */
  readonly to: number;
  /** Cells of a row. */
  readonly columns: number;
  /** Rows, the header included, rules not. */
  readonly rows: number;
  /** Start and end of cell `j` of row `i` at `2 * (i * columns + j)`. */
  readonly cells: Uint32Array;
  /** First line of each row. */
  readonly rowLine: Uint32Array;
  /** Line behind the last line of each row. */
  readonly rowTo: Uint32Array;
  /** 1 for a row that does not follow the layout: it is only ever written as it was. */
  readonly plain: Uint8Array;
  /** Names of the columns; `undefined` when no row names them. */
  readonly names: readonly string[] | undefined;
  /** Whether row 0 holds the names. */
  readonly hasHeader: boolean;
  /** How the rows were written, and how they are written without padding. */
  readonly layout: Layout;
}

/** Text of cell `column` of `row`. */
export function cellText(table: Table, row: number, column: number): string {
  const at = 2 * (row * table.columns + column);
  return table.lines.text.slice(table.cells[at]!, table.cells[at + 1]!);
}

/** Text of all lines of `row`, without the last newline. */
export function rowSource({ lines, rowLine, rowTo }: Table, row: number) {
  return linesText(lines, rowLine[row]!, rowTo[row]!);
}

/** Text of lines `[from, to)` without the last newline; empty when there are none. */
export function linesText(lines: Lines, from: number, to: number): string {
  if (from >= to) return "";
  return lines.text.slice(lines.starts[from]!, lines.starts[to]! - 1);
}

/** Index of the first row that is not the header. */
export function firstBodyRow({ hasHeader }: Table): number {
  return hasHeader ? 1 : 0;
}

/** Whether the names of the columns stand nowhere in the text. */
export function isListing({ layout }: Table): boolean {
  return LISTINGS.has(layout.name);
}

/** Longest cell of each column, of the rows that follow a layout. O(cells). */
export function longestOf(
  { cells, columns, plain }: Pick<Table, "cells" | "columns" | "plain">,
): number[] {
  const longest = new Array<number>(columns).fill(0);
  for (let row = 0; row < plain.length; row++) {
    if (plain[row]) continue;
    for (let j = 0; j < columns; j++) {
      const at = 2 * (row * columns + j);
      const length = cells[at + 1]! - cells[at]!;
      if (length > longest[j]!) longest[j] = length;
    }
  }
  return longest;
}
