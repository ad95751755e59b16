/** What all tables have in common: rows, cells, and how they are padded. @module */
import {
  codeAt,
  lineEnd,
  type Lines,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";

/** A row with a cell for each column. */
export const CELLS = 0;
/** A line among the rows that has other cells, or none. */
export const PLAIN = 1;
/** A line of dashes. */
export const RULE = 2;

/** The edge at which the cells of a column are. */
export interface Edge {
  /** Offset in the line: of the first UTF-16 unit, or after the last. */
  readonly place: number;
  /** Whether it is the right one. */
  readonly isRight: boolean;
}

/** How a row is printed. */
export interface Shape {
  /** One per column. */
  readonly edges: readonly Edge[];
  /** Least length of a line; shorter ones are padded. */
  readonly end: number;
}

/** How the rows of a table are padded. */
export interface Layout extends Shape {
  /** 1 for a row that is padded in another way, and how many others there are. */
  readonly misfits: Uint8Array;
  readonly fitting: number;
  /** Those of the others with all cells at the edges of their columns, none pushed to the right by a long one. */
  readonly aligned: number;
}

/** A table: rows and cells as offsets into the text. */
export interface Table {
  /** The whole text. */
  readonly lines: Lines;
  /** `CSV`, `framed`, `markdown`, `padded`, or the program of a list without a header. */
  readonly form: string;
  /** First line of each row, and the line after the last row. Rows follow one another without a gap. */
  readonly rowLine: Uint32Array;
  /** {@linkcode CELLS}, {@linkcode PLAIN} or {@linkcode RULE} of each row. */
  readonly states: Uint8Array;
  /** Cells of a row. */
  readonly columns: number;
  /** Start and end of cell `j` of row `i` at `2 * (i * columns + j)`. */
  readonly cells: Uint32Array;
  /** Row that holds the names; -1 for none. */
  readonly head: number;
  /** Names of the columns; of a listing they are in no row. */
  readonly names: readonly string[] | undefined;
  /** What is between two cells of CSV; empty for blanks and bars. */
  readonly delimiter: string;
  /** How rows are padded; `undefined` when nothing is, or in no regular way. */
  readonly layout: Layout | undefined;
}

/** Text of cell `column` of `row`. */
export function cellText(table: Table, row: number, column: number): string {
  const at = 2 * (row * table.columns + column);
  return table.lines.text.slice(
    offsetAt(table.cells, at),
    offsetAt(table.cells, at + 1),
  );
}

/** Text of a line, without its end. */
export function contentOf(lines: Lines, line: number): string {
  return lines.text.slice(lineStart(lines, line), contentEnd(lines, line));
}

/** Text of all lines of `row`, line ends between them included, without the last. */
export function rowSource({ lines, rowLine }: Table, row: number): string {
  const end = contentEnd(lines, offsetAt(rowLine, row + 1) - 1);
  return lines.text.slice(lineStart(lines, offsetAt(rowLine, row)), end);
}

/** The texts of cells, by their starts and ends. */
export function textsOf({ text }: Lines, cells: ArrayLike<number>): string[] {
  const texts: string[] = [];
  for (let i = 0; i < cells.length; i += 2) {
    texts.push(text.slice(cells[i], cells[i + 1]));
  }
  return texts;
}

/** Rows with a cell for each column, the header left out. */
export function bodyOf({ states, head }: Table): number[] {
  const body: number[] = [];
  for (let row = head + 1; row < states.length; row++) {
    if (states[row] === CELLS) body.push(row);
  }
  return body;
}

/** Whether a table is a list whose names of columns are in no line of the text. */
export function isListing({ head, names }: Table): boolean {
  return head < 0 && names !== undefined;
}

/** Offset after the last UTF-16 unit of a line, a carriage return left out. */
export function contentEnd(lines: Lines, line: number): number {
  const end = lineEnd(lines, line);
  return codeAt(lines.codes, end - 1) === RETURN ? end - 1 : end;
}

/** Cells of lines, not yet known to be a table. */
export type Grid = Pick<
  Table,
  "lines" | "rowLine" | "states" | "columns" | "cells"
>;

/** Cells of lines that follow one another, the first at `from`. */
export function gridOf(
  lines: Lines,
  from: number,
  { columns, states, cells }: {
    readonly columns: number;
    readonly states: readonly number[];
    readonly cells: readonly number[];
  },
): Grid {
  const rowLine = Array.from({ length: states.length + 1 }, (_, i) => from + i);
  return {
    lines,
    columns,
    rowLine: Uint32Array.from(rowLine),
    states: Uint8Array.from(states),
    cells: Uint32Array.from(cells),
  };
}

/** Adds the start and end of a cell, without the blanks around it. */
export function addCell(
  { codes }: Lines,
  cells: number[],
  [from, to]: readonly [number, number],
): void {
  let end = to;
  while (end > from && codeAt(codes, end - 1) === SPACE) end--;
  let start = from;
  while (start < end && codeAt(codes, start) === SPACE) start++;
  cells.push(start, end);
}

/** Widest line whose columns are looked at, in UTF-16 units. */
export const WIDEST = 2000;
/** Rows by which the layout of all is known. */
const SAMPLE = 400;
const RETURN = 13;
const SPACE = 32;

/** The layout of most rows: each column at its most frequent edge. O(cells). @param head Row that is padded in its own way. */
export function layoutOf(grid: Grid, head: number): Layout {
  const { lines, rowLine, states, columns } = grid;
  const edges = Array.from({ length: columns }, (_, j) => edgeOf(grid, j));
  let end = WIDEST;
  for (const [row, state] of states.entries()) {
    if (state !== CELLS || row === head) continue;
    const line = offsetAt(rowLine, row);
    end = Math.min(end, contentEnd(lines, line) - lineStart(lines, line));
  }
  const misfits = new Uint8Array(states.length).fill(1);
  const layout = { edges, end, misfits, fitting: 0, aligned: 0 };
  for (const [row, state] of states.entries()) {
    if (state !== CELLS || row === head) continue;
    const fit = fitOf(grid, layout, row);
    if (fit === undefined) continue;
    misfits[row] = 0;
    layout.fitting++;
    if (fit === "aligned") layout.aligned++;
  }
  return layout;
}

/** The edge at which most cells of a column are; where both fit, numbers are at the right. */
function edgeOf(grid: Grid, j: number): Edge {
  const { lines, states, columns, cells, rowLine } = grid;
  const lefts = new Places(0);
  // Right edges are counted below zero.
  const rights = new Places(-1);
  let isNumber = false;
  for (let row = 0; row < Math.min(SAMPLE, states.length); row++) {
    const at = 2 * (row * columns + j);
    const from = offsetAt(cells, at);
    const to = offsetAt(cells, at + 1);
    if (states[row] !== CELLS || from === to) continue;
    const start = lineStart(lines, offsetAt(rowLine, row));
    const first = codeAt(lines.codes, from);
    isNumber = first >= 48 && first < 58;
    lefts.add(from - start);
    rights.add(start - to - 1);
  }
  const more = rights.times - lefts.times;
  const isRight = more > 0 ||
    (more === 0 && isNumber && j > 0 && j + 1 < columns);
  return { place: isRight ? -rights.best - 1 : lefts.best, isRight };
}

/** Places of the edges of cells, and the most frequent one. */
class Places {
  /** The first that was so frequent. */
  best: number;
  /** How often it is there. */
  times = 0;
  readonly #counts = new Map<number, number>();

  constructor(best: number) {
    this.best = best;
  }

  add(place: number): void {
    const count = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, count);
    if (count > this.times) [this.best, this.times] = [place, count];
  }
}

/** Whether a row has its cells at the edges, or only one blank behind a long one. */
function fitOf(
  grid: Grid,
  shape: Shape,
  row: number,
): "aligned" | "moved" | undefined {
  const { lines, rowLine, columns, cells } = grid;
  const line = offsetAt(rowLine, row);
  const first = 2 * row * columns;
  const own = cells.subarray(first, first + 2 * columns);
  if (printRow(shape, textsOf(lines, own)) !== contentOf(lines, line)) {
    return undefined;
  }
  const start = lineStart(lines, line);
  const isAligned = shape.edges.every(({ place, isRight }, j) => {
    const from = offsetAt(own, 2 * j);
    const to = offsetAt(own, 2 * j + 1);
    return from === to || (isRight ? to : from) - start === place;
  });
  return isAligned ? "aligned" : "moved";
}

/** Prints a row with its padding; a cell that does not fit pushes those after it. O(row). */
export function printRow(
  { edges, end }: Shape,
  cells: readonly string[],
): string {
  let line = "";
  for (const [j, { place, isRight }] of edges.entries()) {
    const cell = cells[j] ?? "";
    if (cell === "") continue;
    const wanted = isRight ? place - cell.length : place;
    const least = line === "" ? 0 : line.length + 1;
    line = line.padEnd(Math.max(least, wanted)) + cell;
  }
  return line.padEnd(end);
}
