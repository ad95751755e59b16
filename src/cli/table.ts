/** Tables: for people, fitted to a line, and as comma-separated values (RFC 4180). @module */
import { csvText, type CsvValue } from "../core/csv.ts";
import { cutText, lineWidth, print, textWidth, wrapText } from "./terminal.ts";
import type { CliIo } from "./io.ts";
import { safeJson } from "./words.ts";

/** One thing for people, and for programs of two kinds. */
export interface Report {
  /** For people; `width` is the columns of the terminal that a line may have. */
  readonly text: (width: number) => string;
  /** As JSON. */
  readonly json: unknown;
  /** As CSV: one row or more, all with the same columns. */
  readonly rows: readonly Readonly<Record<string, CsvValue>>[];
}

/** How a report is printed. */
export type ReportFormat = "text" | "json" | "csv";

/** Prints a report to stdout. */
export function printReport(
  { text, json, rows }: Report,
  format: ReportFormat,
  io: CliIo,
): void {
  const written = {
    text: () => text(lineWidth(io)),
    json: () => `${safeJson(json, 2)}\n`,
    csv: () => csvText(Object.keys(rows[0]!), rows),
  };
  print(io, written[format]());
}

/** A column. */
export interface Column {
  /** Its name. */
  readonly heading: string;
  /** Whether its values stand at its right end. */
  readonly right?: true;
  /** Columns of the terminal that it has before a value is known; the heading's without. */
  readonly width?: number;
  /** Columns that it may be cut to; without, its values are never cut. */
  readonly least?: number;
  /** Columns that it has before one with a rank gets any; `least` without. */
  readonly good?: number;
  /** Left out where there is no room, the highest first; without, never. */
  readonly rank?: number;
}

/** How a table is written. */
interface TableFit {
  /** Columns of the terminal that a line may have; asked for each line. */
  readonly width: () => number;
  /** Rows that are known at the start: the widths suit them. */
  readonly rows?: readonly (readonly string[])[];
}

/** Blanks between two columns. */
const GAP = 2;

/**
 * Makes a function that writes one row after the other, each as long as `columns`.
 *
 * No line is wider than it may be: columns grow with the widest value so far, are cut where they may be, and left out
 * where there is no room. What is left out is the same in all rows; where that changes, the heading is repeated.
 *
 * @returns Gives a line, with the heading before it where one is due; for `undefined` the heading alone.
 */
export function tableWriter(
  columns: readonly Column[],
  { width, rows = [] }: TableFit,
): (cells?: readonly string[]) => string {
  const headings = columns.map(({ heading }) => heading);
  const wanted = columns.map(({ width = 0 }) => width);
  const widen = (cells: readonly string[]) =>
    cells.forEach((cell, i) => {
      wanted[i] = Math.max(wanted[i]!, textWidth(cell));
    });
  [headings, ...rows].forEach(widen);
  let shown = "";
  return (cells) => {
    if (cells !== undefined) widen(cells);
    const widths = fitted(columns, wanted, width());
    const now = widths.map((width) => width > 0 ? 1 : 0).join("");
    const isDue = now !== shown;
    shown = now;
    const line = (cells: readonly string[]) => lineOf(columns, widths, cells);
    return `${isDue ? line(headings) : ""}${
      cells === undefined ? "" : line(cells)
    }`;
  };
}

/** A column and what a row has in it. */
export interface Cells<Row> extends Column {
  /** The cell of a row. */
  readonly cell: (row: Row) => string;
}

/** A column of figures; what is most wanted has the lowest rank. */
export function figure<Row>(
  heading: string,
  cell: (row: Row) => string,
  rank?: number,
): Cells<Row> {
  return { heading, cell, right: true, ...rank !== undefined && { rank } };
}

/** A whole table of rows; empty where there is none. @param width Columns of the terminal that a line may have. */
export function tableOf<Row>(
  columns: readonly Cells<Row>[],
  rows: readonly Row[],
  width: number,
): string {
  if (rows.length === 0) return "";
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  return tableText(columns, cells, width);
}

/** A name and what is known of it. */
export type Fact = readonly [
  name: string,
  text: string | false | undefined,
];

/**
 * Names and what is known of each, over several lines where one is not enough; those of which nothing is are left out.
 *
 * @param fit Columns of a line, what begins each, and columns of the names; without, what the longest needs.
 */
export function factsText(
  facts: readonly Fact[],
  fit: { width?: number; indent?: string; label?: number } = {},
): string {
  const known = facts.filter(([, text]) => text);
  const longest = Math.max(...known.map(([name]) => name.length)) + GAP;
  const { width = Infinity, indent = "", label = longest } = fit;
  const rest = indent + " ".repeat(label);
  return known.map(([name, text]) =>
    `${wrapText(`${indent}${name.padEnd(label)}${text}`, width, rest)}\n`
  ).join("");
}

/** A whole table. @param width Columns of the terminal that a line may have. */
export function tableText(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const write = tableWriter(columns, { width: () => width, rows });
  return write() + rows.map(write).join("");
}

function lineOf(
  columns: readonly Column[],
  widths: readonly number[],
  cells: readonly string[],
): string {
  const padded = widths.flatMap((width, i) => {
    if (width === 0) return [];
    const cell = cutText(cells[i]!, width);
    const padding = " ".repeat(width - textWidth(cell));
    return [columns[i]!.right ? padding + cell : cell + padding];
  });
  return `${padded.join(" ".repeat(GAP)).trimEnd()}\n`;
}

/** The width of each column; 0 for one that is left out. */
function fitted(
  columns: readonly Column[],
  wanted: readonly number[],
  most: number,
): number[] {
  const atLeast = (i: number) =>
    Math.min(wanted[i]!, columns[i]!.least ?? Infinity);
  const good = (i: number) => Math.max(atLeast(i), columns[i]!.good ?? 0);
  const isFixed = ({ rank }: Column) => rank === undefined;
  const sized = (size: (i: number) => number) =>
    columns.map((column, i) =>
      isFixed(column) ? Math.min(wanted[i]!, size(i)) : 0
    );
  const widths = sized(good);
  let room = roomOf(widths, most);
  if (room < 0) return grown(sized(atLeast), wanted, most);
  const order = columns.map(({ rank = 0 }, i) => ({ rank, i }))
    .filter(({ i }) => !isFixed(columns[i]!)).sort((a, b) => a.rank - b.rank);
  for (const { i } of order) {
    const least = atLeast(i);
    if (least + GAP > room) continue;
    widths[i] = least;
    room -= least + GAP;
  }
  return grown(widths, wanted, most);
}

/** Columns of the terminal that are not used. */
function roomOf(widths: readonly number[], most: number): number {
  return widths.reduce(
    (room, width) => width === 0 ? room : room - width - GAP,
    most + GAP,
  );
}

/** One more column of the terminal for each in turn, so that all are cut alike. */
function grown(
  widths: number[],
  wanted: readonly number[],
  most: number,
): number[] {
  let room = roomOf(widths, most);
  for (let isDone = false; !isDone;) {
    isDone = true;
    widths.forEach((width, i) => {
      if (width === 0 || width >= wanted[i]! || room <= 0) return;
      widths[i] = width + 1;
      room--;
      isDone = false;
    });
  }
  return widths;
}
