/** Tables as rows `a | b | c` with all their cells. @module */
import {
  HAS_HEADING,
  HAS_LISTING,
  HAS_TABLE,
  type Measures,
} from "./measure.ts";
import { exactTextOf } from "./listing.ts";
import { attributeOf, type Page } from "./page.ts";
import { BLOCKS } from "./tags.ts";

/** A cell with more text makes the table a frame for blocks. Characters. */
const LONGEST_CELL = 1_500;
/** A cell of more lines is a frame if it has more text than this. */
const MOST_LINES = 4;
const LEAST_BROKEN = 100;
/** Cells that spans may add to one table. */
const MOST_ADDED = 20_000;
const MOST_SPAN = 1_000;
/** A longer cell that spans rows is said once, then `″`. UTF-16 units. */
const LONGEST_REPEATED = 60;
/** Lines that columns of listings must have to be read side by side. */
const LEAST_ZIPPED = 3;

/** A cell and how far it reaches. */
export interface Cell {
  readonly text: string;
  /** Columns and rows, at least 1. */
  readonly columns: number;
  readonly rows: number;
}

/** Whether the cells of a table are short texts and not frames for larger parts. O(nodes of the table). */
export function isDataTable(
  page: Page,
  measures: Measures,
  node: number,
): boolean {
  if (measures.holds[node]! & (HAS_TABLE | HAS_HEADING | HAS_LISTING)) {
    return false;
  }
  if (attributeOf(page, node, "role") === "presentation") return false;
  for (let i = node + 1; i < page.ends[node]!; i++) {
    if (page.tags[i] !== "td") continue;
    if (measures.text[i]! > LONGEST_CELL) return false;
    if (measures.text[i]! > LEAST_BROKEN && linesIn(page, i) > MOST_LINES) {
      return false;
    }
    if (measures.hints[i]?.isCodeLine) return false;
  }
  return true;
}

/** Elements in a cell that begin a line; cells do not overlap. */
function linesIn(page: Page, node: number): number {
  let lines = 0;
  for (let i = node + 1; i < page.ends[node]!; i++) {
    if (page.tags[i] === "br" || BLOCKS.has(page.tags[i]!)) lines++;
  }
  return lines;
}

/** The reach of a cell. */
export function spanOf(
  page: Page,
  node: number,
): { columns: number; rows: number } {
  const span = (name: string) => {
    const value = Number(attributeOf(page, node, name) ?? 1);
    return value >= 1 ? Math.min(Math.floor(value), MOST_SPAN) : 1;
  };
  return { columns: span("colspan"), rows: span("rowspan") };
}

/** Collects the rows of one table. */
export class Table {
  readonly #rows: string[][] = [];
  /** By column: cells of rows above that reach down. */
  readonly #reaching = new Map<number, { text: string; left: number }>();
  #added = 0;

  /** Adds a row, with the cells that reach into it from above. */
  addRow(cells: readonly Cell[]): void {
    const row: string[] = [];
    for (const { text, columns, rows } of cells) {
      this.#addReaching(row);
      for (let c = 0; c < columns; c++) {
        if (c > 0 && ++this.#added > MOST_ADDED) break;
        if (rows > 1) this.#reaching.set(row.length, { text, left: rows - 1 });
        row.push(c === 0 ? text : "");
      }
    }
    this.#addReaching(row);
    this.#rows.push(row);
  }

  /** The rows as lines, without empty rows and columns. O(cells). */
  lines(): string[] {
    const used = new Set<number>();
    for (const row of this.#rows) {
      row.forEach((cell, column) => cell !== "" && used.add(column));
    }
    const lines: string[] = [];
    for (const row of this.#rows) {
      if (row.every((cell) => cell === "")) continue;
      const shown = row.filter((_, column) => used.has(column));
      while (shown.at(-1) === "") shown.pop();
      lines.push(
        shown.length === 1
          ? shown[0]!
          : shown.map((cell) => cell.replaceAll("|", "\\|")).join(" | "),
      );
    }
    return lines;
  }

  #addReaching(row: string[]): void {
    for (
      let reach = this.#reaching.get(row.length);
      reach !== undefined;
      reach = this.#reaching.get(row.length)
    ) {
      if (--reach.left === 0) this.#reaching.delete(row.length);
      if (++this.#added > MOST_ADDED) return;
      row.push(reach.text.length <= LONGEST_REPEATED ? reach.text : "″");
    }
  }
}

/**
 * Lines of a row whose cells are listings of equal length beside each other, as line numbers, counts and code are.
 * `undefined` for any other row. O(nodes of the row).
 */
export function zippedRow(
  page: Page,
  measures: Measures,
  node: number,
): readonly string[] | undefined {
  const holds = measures.holds[node]!;
  if ((holds & HAS_LISTING) === 0 || holds & HAS_TABLE) return undefined;
  const columns: string[][] = [];
  for (let i = node + 1; i < page.ends[node]!; i = page.ends[i]!) {
    if (page.tags[i] !== "td" && page.tags[i] !== "th") continue;
    if (measures.hints[i]?.isGutter) continue;
    const text = exactTextOf(page, measures, i).replace(/\s+$/, "");
    if (text !== "") columns.push(text.replace(/^\n/, "").split("\n"));
  }
  const most = Math.max(0, ...columns.map((column) => column.length));
  if (columns.length < 2 || most < LEAST_ZIPPED) return undefined;
  // Blank lines at the end of a column were cut.
  if (columns.some((column) => column.length < 2)) return undefined;
  return Array.from(
    { length: most },
    (_, i) => columns.map((column) => column[i]?.trimEnd() ?? "").join(" | "),
  );
}
