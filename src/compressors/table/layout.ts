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

/** How the rows of a table are padded. */
export interface Layout {
  /** One per column. */
  readonly edges: readonly Edge[];
  /** Least length of a line; shorter ones are padded. */
  readonly end: number;
  /** Offsets of the bars between cells, and the bar. */
  readonly bars: readonly number[];
  readonly bar: string;
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
  return Array.from(
    { length: cells.length / 2 },
    (_, j) => text.slice(cells[2 * j], cells[2 * j + 1]),
  );
}

/** Rows with a cell for each column, the header left out. */
export function bodyOf({ states, head }: Table): number[] {
  const body: number[] = [];
  for (const [row, state] of states.entries()) {
    if (state === CELLS && row > head) body.push(row);
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

/** Widest line whose columns are looked at, in UTF-16 units. */
export const WIDEST = 2000;
/** Rows by which the layout of all is known. */
const SAMPLE = 400;
const RETURN = 13;

/**
 * The layout of most rows: each column at its most frequent edge. O(cells).
 *
 * @param head Row that is padded in its own way; -1 for none.
 * @param bars Offsets of the bars of a frame.
 */
export function layoutOf(
  grid: Grid,
  head: number,
  bars: readonly number[] = [],
): Layout {
  const { lines, rowLine, columns } = grid;
  const counts = new Uint32Array(2 * WIDEST);
  const edges = Array.from({ length: columns }, (_, j) => {
    counts.fill(0);
    return edgeOf(grid, j, counts);
  });
  const first = lineStart(lines, offsetAt(rowLine, Math.max(0, head)));
  const bar = lines.text[first + (bars[0] ?? 0)] ?? "";
  return fitted(grid, head, { edges, bars, bar });
}

/** The layout of rows whose cells are one blank apart. O(cells). */
export function tightLayout(grid: Grid): Layout {
  const edges = Array.from(
    { length: grid.columns },
    () => ({ place: 0, isRight: false }),
  );
  return fitted(grid, -1, { edges, bars: [], bar: "" });
}

function fitted(
  grid: Grid,
  head: number,
  places: Pick<Layout, "edges" | "bars" | "bar">,
): Layout {
  const { lines, rowLine, states } = grid;
  const lengthOf = (row: number) => {
    const line = offsetAt(rowLine, row);
    return contentEnd(lines, line) - lineStart(lines, line);
  };
  let end = WIDEST;
  for (const [row, state] of states.entries()) {
    const isRow = state === CELLS && row !== head;
    if (isRow) end = Math.min(end, lengthOf(row));
  }
  const misfits = new Uint8Array(states.length).fill(1);
  const layout = { ...places, end, misfits, fitting: 0, aligned: 0 };
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
function edgeOf(grid: Grid, j: number, counts: Uint32Array): Edge {
  const { lines, states, columns, cells, rowLine } = grid;
  let left = 0;
  let right = 0;
  let isNumber = false;
  const rows = Math.min(SAMPLE, states.length);
  const add = (at: number) => counts[at] = offsetAt(counts, at) + 1;
  for (let row = 0; row < rows; row++) {
    if (states[row] !== CELLS) continue;
    const at = 2 * (row * columns + j);
    const from = offsetAt(cells, at);
    const to = offsetAt(cells, at + 1);
    const start = lineStart(lines, offsetAt(rowLine, row));
    if (from === to || to - start >= WIDEST) continue;
    const first = codeAt(lines.codes, from);
    isNumber = first >= 48 && first < 58;
    if (add(from - start) > offsetAt(counts, left)) left = from - start;
    const edge = WIDEST + to - start;
    if (add(edge) > offsetAt(counts, WIDEST + right)) right = to - start;
  }
  const more = offsetAt(counts, WIDEST + right) - offsetAt(counts, left);
  const isRight = more > 0 ||
    (more === 0 && isNumber && j > 0 && j + 1 < columns);
  return { place: isRight ? right : left, isRight };
}

/** Whether {@linkcode padRow} writes the row as it is, and whether it moves no cell. */
function fitOf(
  { lines, rowLine, columns, cells }: Grid,
  { edges, end, bars, bar }: Layout,
  row: number,
): "aligned" | "moved" | undefined {
  const line = offsetAt(rowLine, row);
  const start = lineStart(lines, line);
  let isAligned = true;
  let at = 0;
  for (const [j, { place, isRight }] of edges.entries()) {
    const cell = 2 * (row * columns + j);
    const from = offsetAt(cells, cell) - start;
    const to = offsetAt(cells, cell + 1) - start;
    if (from === to) continue;
    const wanted = isRight ? place - (to - from) : place;
    const isMoved = from !== wanted;
    const least = at === 0 ? 0 : at + 1;
    if (isMoved && (bars.length > 0 || from !== least || wanted > least)) {
      return undefined;
    }
    isAligned &&= !isMoved;
    at = to;
  }
  const length = contentEnd(lines, line) - start;
  const isFit = length === Math.max(at, end) &&
    bars.every((place) => place < length && lines.text[start + place] === bar);
  return !isFit ? undefined : isAligned ? "aligned" : "moved";
}

/** Writes a row with its padding and bars. O(row). */
export function padRow(
  { edges, end, bars, bar }: Layout,
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
  line = line.padEnd(end);
  for (const place of bars) {
    line = line.slice(0, place).padEnd(place) + bar + line.slice(place + 1);
  }
  return line;
}
