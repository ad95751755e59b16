/** Columns padded with blanks: where each column stands, and writing the padding again. @module */
import type { Lines } from "../../text/lines.ts";
import type { Column, Layout } from "./layout.ts";

/** Cells of lines, not yet known to follow a layout. */
export interface Grid {
  /** The text. */
  readonly lines: Lines;
  /** Cells of a row. */
  readonly columns: number;
  /** Line of each row. */
  readonly rowLine: Uint32Array;
  /** Start and end of cell `j` of row `i` at `2 * (i * columns + j)`. */
  readonly cells: Uint32Array;
  /** 1 for a row that is no row of the table; more may be found to follow no layout. */
  readonly plain: Uint8Array;
}

/** Widest line whose columns are looked at, in UTF-16 units. */
export const WIDEST = 2000;

/**
 * Finds the place of each column and marks the rows that do not follow as plain. O(cells).
 *
 * @returns Columns with their places, the common width of all lines or 0, and how many rows have
 * all cells in their places, none pushed to the right by a long one.
 */
export function fitGrid(
  grid: Grid,
): { columns: Column[]; end: number; aligned: number } {
  const width = widestOf(grid);
  const counts = new Uint32Array(2 * width);
  const columns = Array.from(
    { length: grid.columns },
    (_, j) => placeOf(grid, j, counts.fill(0)),
  );
  const end = commonEnd(grid);
  const aligned = markOthers(grid, columns, end);
  return { columns, end, aligned };
}

/** Length of the longest line and one more, at most {@linkcode WIDEST}. */
function widestOf({ lines: { starts }, rowLine }: Grid): number {
  let widest = 1;
  for (const line of rowLine) {
    widest = Math.max(widest, starts[line + 1]! - starts[line]!);
  }
  return Math.min(widest + 1, WIDEST);
}

/** The edge of column `j` at which most cells stand; `counts` are zeros, two for each place of a line. */
function placeOf(grid: Grid, j: number, counts: Uint32Array): Column {
  const { cells, rowLine, columns, plain, lines } = grid;
  const width = counts.length / 2;
  const lefts = counts.subarray(0, width);
  const rights = counts.subarray(width);
  let left = 0;
  let right = 0;
  for (let row = 0; row < rowLine.length; row++) {
    const at = 2 * (row * columns + j);
    const from = cells[at]!;
    const to = cells[at + 1]!;
    if (from === to || plain[row]) continue;
    const start = lines.starts[rowLine[row]!]!;
    if (from - start >= width) continue;
    if (++lefts[from - start]! > lefts[left]!) left = from - start;
    const edge = Math.min(to - start, width - 1);
    if (++rights[edge]! > rights[right]!) right = edge;
  }
  // Where both edges fit, the shorter cell shows the side; of equal ones nothing does.
  const isRight = rights[right]! > lefts[left]! ||
    (rights[right] === lefts[left] && prefersRight(grid, j));
  return isRight ? { side: ">", place: right } : { side: "<", place: left };
}

/** Numbers stand at the right as a rule. */
function prefersRight({ cells, columns, plain, lines }: Grid, j: number) {
  const at = 2 * ((plain.length - 1) * columns + j);
  const first = lines.codes[cells[at]!]!;
  return j > 0 && j + 1 < columns && first >= 48 && first < 58;
}

/** The width of all lines when they are padded to one; 0 when they are not. */
function commonEnd({ lines, rowLine, cells, columns, plain }: Grid): number {
  let width = -1;
  let isPadded = false;
  for (let row = 0; row < rowLine.length; row++) {
    if (plain[row]) continue;
    const line = rowLine[row]!;
    const end = lines.starts[line + 1]! - 1;
    const length = end - lines.starts[line]!;
    if (width >= 0 && length !== width) return 0;
    width = length;
    isPadded ||= cells[2 * (row + 1) * columns - 1]! < end;
  }
  return isPadded ? width : 0;
}

/** Marks the rows whose cells do not stand where {@linkcode fixedLines} would put them; counts those with all cells in their places. */
function markOthers(
  grid: Grid,
  layout: readonly Column[],
  end: number,
): number {
  const { lines, rowLine, cells, columns, plain } = grid;
  const places = Int32Array.from(layout, ({ place }) => place!);
  const isLeft = layout.map(({ side }) => side === "<");
  let aligned = 0;
  for (let row = 0; row < rowLine.length; row++) {
    const line = rowLine[row]!;
    const start = lines.starts[line]!;
    let at = 0;
    let fits = true;
    let isAligned = true;
    for (let j = 0; j < columns && fits; j++) {
      const cell = 2 * (row * columns + j);
      const from = cells[cell]! - start;
      const to = cells[cell + 1]! - start;
      if (from === to) continue;
      const least = at === 0 ? 0 : at + 1;
      const wanted = isLeft[j]! ? places[j]! : places[j]! - (to - from);
      fits = from === Math.max(least, wanted);
      isAligned &&= from === wanted;
      at = to;
    }
    const length = lines.starts[line + 1]! - 1 - start;
    if (!fits || length !== Math.max(at, end)) plain[row] = 1;
    else if (isAligned) aligned++;
  }
  return aligned;
}

/** Replaces the places that follow from the longest cells by one gap. */
export function withGap(
  columns: readonly Column[],
  longest: readonly number[],
): { columns: Column[]; gap: number } {
  const gaps: number[] = [];
  columns.reduce((before, { side, place }, j) => {
    const left = side === "<" ? place! : place! - longest[j]!;
    gaps.push(left - before);
    return left + longest[j]!;
  }, 0);
  const gap = mostFrequent(gaps.slice(1).filter((size) => size > 0));
  return {
    columns: columns.map((column, j) => ({
      side: column.side,
      place: gaps[j] === (j === 0 ? 0 : gap) ? undefined : column.place,
    })),
    gap,
  };
}

function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  let best = 1;
  for (const value of values) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > (counts.get(best) ?? 0)) best = value;
  }
  return best;
}

/**
 * Writes rows with their padding again. O(text).
 *
 * @param rows Cells of each row; a text where a row stays as it is.
 */
export function fixedLines(
  layout: Layout,
  rows: readonly (readonly string[] | string)[],
): string[] {
  const { columns, gap, end, rule } = layout;
  const longest = longestCells(rows, columns.length);
  const places: number[] = [];
  columns.reduce((before, { side, place }, j) => {
    const left = before + (j === 0 ? 0 : gap);
    const right = left + longest[j]!;
    places.push(place ?? (side === "<" ? left : right));
    if (place === undefined) return right;
    return side === "<" ? place + longest[j]! : place;
  }, 0);
  const all = rule === "" ? rows : [
    rows[0]!,
    longest.map((width) => rule.repeat(width)),
    ...rows.slice(1),
  ];
  return all.map((row) => {
    if (typeof row === "string") return row;
    let line = "";
    row.forEach((cell, j) => {
      if (cell === "") return;
      const least = line === "" ? 0 : line.length + 1;
      const place = columns[j]?.side === ">"
        ? places[j]! - cell.length
        : places[j] ?? 0;
      line = line.padEnd(Math.max(least, place)) + cell;
    });
    return line.padEnd(end);
  });
}

/** Longest cell of each column. */
export function longestCells(
  rows: readonly (readonly string[] | string)[],
  columns: number,
): number[] {
  const longest = new Array<number>(columns).fill(0);
  for (const row of rows) {
    if (typeof row === "string") continue;
    row.forEach((cell, j) => {
      if (cell.length > longest[j]!) longest[j] = cell.length;
    });
  }
  return longest;
}
