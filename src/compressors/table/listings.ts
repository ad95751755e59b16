/** Lists without a header whose columns are known: `ls -l`, `dpkg -l`, `apt list`. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { fitGrid, type Grid, withGap } from "./fixed.ts";
import { wordGrid } from "./grids.ts";
import { LISTINGS } from "./layout.ts";
import { longestOf, type Table } from "./table.ts";

/** How the lines of one program look. */
interface Listing {
  /** Name of the layout. */
  readonly name: string;
  /** A line. */
  readonly row: RegExp;
  /** Names of its columns. */
  readonly names: (line: string) => readonly string[];
}

const LONG_NAMES = ["mode", "links", "owner", "group", "size"];
const MONTH_NAMES = [...LONG_NAMES, "month", "day", "time", "name"];
const DATE_NAMES = [...LONG_NAMES, "date", "time", "name"];
const FORMS: readonly Listing[] = [
  {
    name: "ls -l",
    row:
      /^[-dlbcpsD](?:[r-][w-][xsStT-]){3}[.+@]? +\d+ +\S+ +\S+ +\d+,? +(?:\d|[A-Z][a-z]{2} )/,
    names: (line) =>
      /^\d/.test(line.split(/ +/, 6)[5] ?? "") ? DATE_NAMES : MONTH_NAMES,
  },
  {
    name: "dpkg -l",
    row:
      /^[uirph][nicurhWtFH][ RhU]? +\S+ +\S+ +(?:all|amd64|arm64|i386|armhf) +\S/,
    names: () => ["state", "name", "version", "arch", "description"],
  },
  {
    name: "apt list",
    row: /^[\w.+-]+\/[\w.,+-]+ \S+ (?:all|amd64|arm64|i386|armhf)(?: \[.*\])?$/,
    names: () => ["package", "version", "arch", "state"],
  },
];
const LEAST_ROWS = 3;
/** UTF-16 units of a line that are looked at. */
const LOOKED_AT = 300;

/** All blocks of lines that one of these programs wrote, in order. O(n). */
export function findListings(lines: Lines): Table[] {
  const form = FORMS.find(({ row }) => hasRows(lines, row));
  if (form === undefined) return [];
  const tables: Table[] = [];
  for (let from = 0; from < lines.count;) {
    let to = from;
    while (to < lines.count && isRow(lines, to, form)) to++;
    if (to - from >= LEAST_ROWS) tables.push(listingAt(lines, from, to, form));
    from = Math.max(to, from + 1);
  }
  return tables;
}

/** Whether some of the first lines follow one another as rows. */
function hasRows(lines: Lines, row: RegExp): boolean {
  let run = 0;
  for (let i = 0; i < Math.min(lines.count, LOOKED_AT); i++) {
    run = row.test(startOf(lines, i)) ? run + 1 : 0;
    if (run >= LEAST_ROWS) return true;
  }
  return false;
}

function isRow(lines: Lines, line: number, { row }: Listing): boolean {
  const first = lines.codes[lines.starts[line]!]!;
  return first > 32 && row.test(startOf(lines, line));
}

function startOf({ starts, text }: Lines, line: number): string {
  const start = starts[line]!;
  return text.slice(start, Math.min(starts[line + 1]! - 1, start + LOOKED_AT));
}

function listingAt(
  lines: Lines,
  from: number,
  to: number,
  form: Listing,
): Table {
  const names = form.names(lineAt(lines, from));
  const grid = wordGrid(lines, [from, to], names.length);
  const isPadded = LISTINGS.get(form.name) !== "";
  const fit = isPadded ? fitGrid(grid) : markPadded(grid);
  const { columns, rowLine, cells, plain } = grid;
  return {
    lines,
    from,
    to,
    columns,
    rows: rowLine.length,
    cells,
    rowLine,
    rowTo: rowLine.map((line) => line + 1),
    plain,
    names,
    hasHeader: false,
    layout: {
      name: form.name,
      split: " ",
      ...withGap(fit.columns, longestOf(grid)),
      end: fit.end,
      rule: "",
      head: "",
      isCrlf: false,
    },
  };
}

/** Marks the rows whose cells have more than one blank between them. */
function markPadded(grid: Grid): { columns: []; end: number } {
  const { lines, rowLine, cells, columns, plain } = grid;
  for (let row = 0; row < rowLine.length; row++) {
    const line = rowLine[row]!;
    let at = lines.starts[line]! - 1;
    for (let j = 0; j < columns; j++) {
      const cell = 2 * (row * columns + j);
      if (cells[cell] === cells[cell + 1]) continue;
      if (cells[cell] !== at + 1) plain[row] = 1;
      at = cells[cell + 1]!;
    }
    if (at !== lines.starts[line + 1]! - 1) plain[row] = 1;
  }
  return { columns: [], end: 0 };
}
