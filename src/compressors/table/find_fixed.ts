/** Finding tables whose columns are padded with blanks: `ps`, `ls -l`, `kubectl get`. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { fitGrid, type Grid, WIDEST, withGap } from "./fixed.ts";
import { byPlace, byWord, DASHES } from "./grids.ts";
import { longestOf, type Table } from "./table.ts";

const TABULATOR = 9;
/** Lines above the header in one block, as the prompt or `Listing...`. */
const MOST_ABOVE = 3;
/** Lines below the last row in one block. */
const MOST_BELOW = 2;
/** Rows without the header. */
const LEAST_ROWS = 2;
/** Share of the rows that may follow no layout. */
const MOST_PLAIN = 0.1;
/** That share below a header that is one beyond doubt: their padding only cannot be taken away. */
const MOST_SURE_PLAIN = 0.8;
/** Share of the rows that must have all cells in their places; sentences have hardly any. */
const LEAST_ALIGNED = 0.6;
const SURE_HEADER = /^ *(?:[%#]?[A-Z][A-Z%#/+-]* +){4,}[%#]?[A-Z][A-Z%#/+-]*$/;

/** A word of a header: `%CPU`, `READY`, `Use%`, `1K-blocks`, `Address:Port`. */
const HEAD_WORD = /^[%#]?[A-Z1][\w%/().:#-]*$/;
const LARGE_ROW = 50;

/** All tables of a text that stand in blocks of lines without blank ones, in order. O(n). */
export function findFixed(lines: Lines): Table[] {
  const tables: Table[] = [];
  for (let from = 0; from < lines.count;) {
    let to = from;
    while (to < lines.count && !isBlank(lines, to)) to++;
    if (to - from > LEAST_ROWS) {
      const table = tableIn(lines, from, to);
      if (table !== undefined) tables.push(table);
    }
    from = to + 1;
  }
  return tables;
}

function isBlank({ starts }: Lines, line: number): boolean {
  return starts[line + 1]! - starts[line]! <= 1;
}

function tableIn(lines: Lines, from: number, to: number): Table | undefined {
  const last = Math.min(from + MOST_ABOVE, to - LEAST_ROWS - 1);
  for (let head = from; head <= last; head++) {
    if (!isHeader(lines, head)) continue;
    for (let below = 0; below <= MOST_BELOW; below++) {
      if (to - below - head <= LEAST_ROWS) break;
      const table = tableAt(lines, head, to - below);
      if (table !== undefined) return table;
    }
  }
  return undefined;
}

/** Names in capitals, or names above a line of dashes. */
function isHeader(lines: Lines, line: number): boolean {
  const start = lines.starts[line]!;
  if (lines.starts[line + 1]! - start > WIDEST) return false;
  const words = lineAt(lines, line).split(/ +/).filter((word) => word !== "");
  if (words.length < 2) return false;
  const fitting = words.filter((word) => HEAD_WORD.test(word)).length;
  if (fitting < words.length - 1 || !HEAD_WORD.test(words[0]!)) return false;
  return words.length >= 3 || DASHES.test(lineAt(lines, line + 1));
}

function tableAt(lines: Lines, from: number, to: number): Table | undefined {
  for (let i = from; i < Math.min(to, from + LARGE_ROW); i++) {
    const end = lines.starts[i + 1]!;
    if (lines.codes.subarray(lines.starts[i]!, end).includes(TABULATOR)) {
      return undefined;
    }
  }
  const candidates = [byPlace(lines, from, to), byWord(lines, from, to)];
  let best: Table | undefined;
  for (const grid of candidates) {
    if (grid === undefined || grid.columns < 2) continue;
    const table = fitted(grid, from);
    if (table === undefined) continue;
    const isBetter = best === undefined || gain(table) > gain(best);
    if (isBetter) best = table;
  }
  return best;
}

/** More rows that fit, then more columns. */
function gain({ plain, columns }: Table): number {
  return plain.reduce((sum, byte) => sum - byte, 0) * WIDEST + columns;
}

function fitted(grid: Grid, from: number): Table | undefined {
  const rows = grid.rowLine.length;
  const fit = fitGrid(grid);
  const others = grid.plain.reduce((sum, byte) => sum + byte, 0);
  const isSure = isSureHeader(grid, from);
  if (!isSure && fit.aligned < LEAST_ALIGNED * rows) return undefined;
  const most = isSure ? MOST_SURE_PLAIN : MOST_PLAIN;
  if (others > most * rows + 1 || rows - others <= LEAST_ROWS) {
    return undefined;
  }
  const table = tableOf(withoutTail(grid), fit, from);
  return withoutRule(table);
}

/** The grid without other lines below its last row. */
function withoutTail(grid: Grid): Grid {
  let rows = grid.plain.length;
  while (rows > 1 && grid.plain[rows - 1]) rows--;
  return {
    ...grid,
    rowLine: grid.rowLine.subarray(0, rows),
    plain: grid.plain.subarray(0, rows),
    cells: grid.cells.subarray(0, 2 * rows * grid.columns),
  };
}

function isSureHeader({ lines, plain }: Grid, line: number): boolean {
  return plain[0] === 0 && SURE_HEADER.test(lineAt(lines, line));
}

function tableOf(
  { lines, columns, rowLine, cells, plain }: Grid,
  fit: ReturnType<typeof fitGrid>,
  from: number,
): Table {
  const names = plain[0] === 0
    ? Array.from(
      { length: columns },
      (_, j) => lines.text.slice(cells[2 * j]!, cells[2 * j + 1]!),
    )
    : undefined;
  return {
    lines,
    from,
    to: from + rowLine.length,
    columns,
    rows: rowLine.length,
    cells,
    rowLine,
    rowTo: rowLine.map((line) => line + 1),
    plain,
    names,
    hasHeader: true,
    layout: {
      name: "table",
      split: " ",
      ...withGap(fit.columns, longestOf({ cells, columns, plain })),
      end: fit.end,
      rule: "",
      head: "",
      isCrlf: false,
    },
  };
}

/** Takes the line of dashes below the header out of the rows when it follows from the widths. */
function withoutRule(table: Table): Table {
  const { columns, cells, lines, plain, layout } = table;
  const isRule = plain[1] === 0 && DASHES.test(lineAt(lines, table.from + 1));
  if (!isRule) return table;
  const others = plain.slice();
  others[1] = 1;
  const longest = longestOf({ cells, columns, plain: others });
  const fits = longest.every((width, j) => {
    const at = 2 * (columns + j);
    return cells[at + 1]! - cells[at]! === width;
  });
  if (!fits) return table;
  const rowLine = without(table.rowLine, 1, 1);
  return {
    ...table,
    rows: table.rows - 1,
    rowLine,
    rowTo: rowLine.map((line) => line + 1),
    plain: Uint8Array.from(without(Uint32Array.from(plain), 1, 1)),
    cells: without(cells, 2 * columns, 2 * columns),
    layout: { ...layout, rule: lines.text[cells[2 * columns]!]! },
  };
}

function without(array: Uint32Array, from: number, count: number): Uint32Array {
  const shorter = new Uint32Array(array.length - count);
  shorter.set(array.subarray(0, from));
  shorter.set(array.subarray(from + count), from);
  return shorter;
}
