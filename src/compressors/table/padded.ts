/** Finding tables whose columns are padded with blanks: `ps`, `kubectl get`, `ls -l`. @module */
import {
  codeAt,
  lineEnd,
  type Lines,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import {
  addCell,
  CELLS,
  contentEnd,
  contentOf,
  type Grid,
  gridOf,
  layoutOf,
  PLAIN,
  RULE,
  type Table,
  textsOf,
  WIDEST,
} from "./layout.ts";

const SPACE = 32;
const TABULATOR = 9;
/** Lines above the header in one block, as the prompt or `Listing...`. */
const MOST_ABOVE = 3;
const LEAST_ROWS = 3;
/** Share of the rows that may be padded in another way, also below a header that is one beyond doubt. */
const MOST_MISFITS = 0.15;
const MOST_SURE_MISFITS = 0.8;
/** Share of the rows with all cells at the edges of their columns; sentences have hardly any. */
const LEAST_ALIGNED = 0.6;
/** Lines that may have text where all others have a blank, and the share of them. */
const MOST_CROSSING = 2;
const CROSSING_SHARE = 0.03;
const SURE_HEADER = /^ *(?:[%#]?[A-Z][A-Z%#/+-]* +){4,}[%#]?[A-Z][A-Z%#/+-]*$/;
/** A word of a header: `%CPU`, `READY`, `Use%`, `1K-blocks`, `Address:Port`. */
const HEAD_WORD = /^[%#]?(?:[A-Z]|1[KM]-)[\w%/().:#-]*$/;
const DASHES = /^ *[-=]+(?: +[-=]+)* *$/;
/** The same, of two columns and more. */
const COLUMN_DASHES = /^ *[-=]+(?: +[-=]+)+ *$/;

/** All padded tables, in order: blocks of lines without blank ones that start with a header. O(n). */
export function findPadded(lines: Lines): Table[] {
  const tables: Table[] = [];
  for (let from = 0; from < lines.count;) {
    let to = from;
    while (to < lines.count && contentEnd(lines, to) > lineStart(lines, to)) {
      to++;
    }
    const table = to - from >= LEAST_ROWS + 1
      ? paddedIn(lines, from, to)
      : undefined;
    if (table !== undefined) tables.push(table);
    from = to + 1;
  }
  return tables;
}

function paddedIn(lines: Lines, from: number, to: number): Table | undefined {
  const last = Math.min(from + MOST_ABOVE, to - LEAST_ROWS - 1);
  for (let head = from; head <= last; head++) {
    if (!isHeader(lines, head)) continue;
    const table = paddedTable(byPlace(lines, head, to));
    if (table !== undefined) return table;
  }
  return undefined;
}

/** Names in capitals, or names above dashes. */
function isHeader(lines: Lines, line: number): boolean {
  if (lineEnd(lines, line) - lineStart(lines, line) > WIDEST) return false;
  const text = contentOf(lines, line);
  if (text.includes("\t")) return false;
  const words = text.trim().split(/ +/);
  if (words.length < 2) return false;
  const next = line + 1 < lines.count ? contentOf(lines, line + 1) : "";
  if (COLUMN_DASHES.test(next) && !/\d/.test(text)) return true;
  const fitting = words.filter((word) => HEAD_WORD.test(word)).length;
  const isNamed = fitting >= words.length - 1 && HEAD_WORD.test(words[0] ?? "");
  return isNamed && (words.length > 2 || DASHES.test(next));
}

function paddedTable(grid: Grid | undefined): Table | undefined {
  if (grid === undefined) return undefined;
  const { lines, columns, states, rowLine, cells } = grid;
  if (columns < 2 || states[0] !== CELLS) return undefined;
  const layout = layoutOf(grid, 0);
  // Other lines below the table.
  let rows = states.length;
  while (states[rows - 1] !== RULE && layout.misfits[rows - 1] === 1) rows--;
  let total = 0;
  for (let row = 1; row < rows; row++) if (states[row] !== RULE) total++;
  const { fitting, aligned } = layout;
  const isSure = SURE_HEADER.test(contentOf(lines, offsetAt(rowLine, 0)));
  const most = isSure ? MOST_SURE_MISFITS : MOST_MISFITS;
  const isTable = fitting >= LEAST_ROWS - 1 &&
    total - fitting <= most * total + 1 &&
    (isSure || aligned >= LEAST_ALIGNED * total);
  if (!isTable) return undefined;
  return {
    ...grid,
    form: "padded",
    head: 0,
    names: textsOf(lines, cells.subarray(0, 2 * columns)),
    delimiter: "",
    layout,
    states: states.subarray(0, rows),
    rowLine: rowLine.subarray(0, rows + 1),
  };
}

/** Columns between the places where nearly every line has a blank and above which the header has a name. O(n). */
function byPlace(lines: Lines, from: number, to: number): Grid | undefined {
  const { codes } = lines;
  const states: number[] = [];
  const used = new Uint32Array(WIDEST + 2);
  for (let line = from + 1; line < to; line++) {
    if (isRule(lines, line)) continue;
    const start = lineStart(lines, line);
    const end = Math.min(contentEnd(lines, line), start + WIDEST);
    for (let at = start; at < end; at++) {
      const code = codeAt(codes, at);
      if (code === TABULATOR) return undefined;
      if (code !== SPACE) used[at - start] = offsetAt(used, at - start) + 1;
    }
  }
  const header = contentOf(lines, from).trimEnd();
  const most = Math.min(MOST_CROSSING, (to - from) >> 2) +
    Math.floor(CROSSING_SHARE * (to - from));
  const edges = edgesBelow(header, used, most);
  if (edges === undefined) return undefined;
  const columns = edges.length;
  const cells: number[] = [];
  for (let line = from; line < to; line++) {
    const start = lineStart(lines, line);
    const end = contentEnd(lines, line);
    let isCut = false;
    for (const [j, edge] of edges.entries()) {
      const next = start + (edges[j + 1] ?? Infinity);
      isCut ||= next < end && codeAt(codes, next) !== SPACE &&
        codeAt(codes, next - 1) !== SPACE;
      const left = Math.min(start + edge, end);
      addCell(lines, cells, [left, Math.min(next, end)]);
    }
    states.push(isRule(lines, line) ? RULE : isCut ? PLAIN : CELLS);
  }
  return gridOf(lines, from, { columns, states, cells });
}

/** Starts of the columns below a header, each with one name; `undefined` when one has two. */
function edgesBelow(
  header: string,
  used: Uint32Array,
  most: number,
): number[] | undefined {
  const isUsed = (at: number) =>
    offsetAt(used, at) > most || (header[at] ?? " ") !== " ";
  const edges: number[] = [];
  for (let at = 0; at < WIDEST; at++) {
    if (!isUsed(at) || (at > 0 && isUsed(at - 1))) continue;
    let end = at;
    let isBody = false;
    for (; end < WIDEST && isUsed(end); end++) {
      isBody ||= offsetAt(used, end) > most;
    }
    const isNamed = header.slice(at, end).trim() !== "";
    // A name of two words above short cells: `Mounted on`.
    const isSecond = !isBody && header[at - 2] !== " " &&
      header[at - 1] === " ";
    if (edges.length === 0) edges.push(0);
    else if (isNamed && !isSecond) edges.push(at);
    at = end;
  }
  const hasTwo = edges.some((edge, j) =>
    /\S {2,}\S/.test(header.slice(edge, edges[j + 1]))
  );
  return hasTwo ? undefined : edges;
}

/** Columns of one word each; the last takes the rest of the line. O(n). */
function wordGrid(
  lines: Lines,
  [from, to]: readonly [number, number],
  columns: number,
): Grid {
  const row = new RegExp(`^${"(\\S*) *".repeat(columns - 1)}(.*)`, "d");
  const cells: number[] = [];
  for (let line = from; line < to; line++) {
    const start = lineStart(lines, line);
    const { indices = [] } = row.exec(contentOf(lines, line).trimEnd()) ?? {};
    for (let j = 1; j <= columns; j++) {
      const [left = 0, right = 0] = indices[j] ?? [];
      cells.push(start + left, start + right);
    }
  }
  const states = Array<number>(to - from).fill(CELLS);
  return gridOf(lines, from, { columns, states, cells });
}

function isRule(lines: Lines, line: number): boolean {
  return lineEnd(lines, line) - lineStart(lines, line) <= WIDEST &&
    /[-=]{3}/.test(contentOf(lines, line)) &&
    DASHES.test(contentOf(lines, line));
}

/** A list without a header, by its program. */
interface Listing {
  readonly form: string;
  /** A line of it. */
  readonly row: RegExp;
  /** Names of its columns. */
  readonly names: (line: string) => readonly string[];
}

const LONG_NAMES = ["mode", "links", "owner", "group", "size"];
const LISTINGS: readonly Listing[] = [
  {
    form: "ls -l",
    row:
      /^[-dlbcpsD](?:[r-][w-][xsStT-]){3}[.+@]? +\d+ +\S+ +\S+ +\d+,? +(?:\d|[A-Z][a-z]{2} )/,
    names: (line) =>
      /^\d/.test(line.split(/ +/, 6)[5] ?? "")
        ? [...LONG_NAMES, "date", "time", "name"]
        : [...LONG_NAMES, "month", "day", "time", "name"],
  },
  {
    form: "dpkg -l",
    row:
      /^[uirph][nicurhWtFH][ RhU]? +\S+ +\S+ +(?:all|amd64|arm64|i386|armhf) +\S/,
    names: () => ["state", "name", "version", "arch", "description"],
  },
  {
    form: "apt list",
    row: /^[\w.+-]+\/[\w.,+-]+ \S+ (?:all|amd64|arm64|i386|armhf)(?: \[.*\])?$/,
    names: () => ["package", "version", "arch", "state"],
  },
];
/** UTF-16 units of a line that are looked at. */
const LOOKED_AT = 300;

/** All blocks of lines that `ls -l`, `dpkg -l` or `apt list` wrote, in order. O(n). */
export function findListings(lines: Lines): Table[] {
  const startOf = (line: number) => contentOf(lines, line).slice(0, LOOKED_AT);
  for (const { form, row, names } of LISTINGS) {
    const tables: Table[] = [];
    for (let from = 0; from < lines.count; from++) {
      const start = from;
      while (from < lines.count && row.test(startOf(from))) from++;
      if (from - start < LEAST_ROWS) continue;
      const named = names(startOf(start));
      const grid = wordGrid(lines, [start, from], named.length);
      const list = { head: -1, names: named, delimiter: "", layout: undefined };
      tables.push({ ...grid, form, ...list });
    }
    if (tables.length > 0) return tables;
  }
  return [];
}
