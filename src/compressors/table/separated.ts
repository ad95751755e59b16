/** Tables whose cells are separated by a sign: CSV and its relatives. @module */
import { countsOf } from "../../text/counts.ts";
import { type Lines, lineStart } from "../../text/lines.ts";
import {
  addCell,
  CELLS,
  contentEnd,
  PLAIN,
  type Table,
  textsOf,
} from "./layout.ts";

const DELIMITERS = [",", "\t", ";", "|"] as const;
const QUOTE = 34;
/** Records by which the delimiter is known. */
const SAMPLE = 40;
/** Lines that one record may have, so that a lone quote does not take the rest of the text with it. */
const LONGEST_RECORD = 200;
/** Lines of other text at either end. */
const MOST_OTHER = 3;
/** Share of records that have a cell for each column. */
const LEAST_FIT = 0.9;
const LEAST_ROWS = 3;
/** Of tables with two columns. */
const LEAST_PAIRS = 5;
const DATA_FILE = /\.(?:csv|tsv|tab|psv)$/i;
/** A name of a column: a few words, maybe with a unit. */
const NAME =
  /^"?[\p{L}_#%$][\p{L}\p{N}_ .\-\/#%$€&']{0,48}(?: ?[([][^()[\],]{1,16}[)\]])?"?$/u;
const MOST_NAME_WORDS = 6;
const NUMBER = /^"?[$€]?[+-]?[\d.,]*\d%?"?$/;
/** Share of the cells after a blank, as in sentences and code. */
const MOST_SPACED = 0.3;
/** Mean words of a cell that is not quoted. */
const MOST_WORDS = 4;

/** How records are cut into cells. */
interface Shape {
  readonly delimiter: string;
  readonly columns: number;
  /** What a record has beyond them is part of this cell; -1 where all have as many. */
  readonly rest: number;
}

/** The table that a text of delimited records is, if it is one. O(n). @param path Name of the file, if known. */
export function findDelimited(lines: Lines, path = ""): Table[] {
  const shape = shapeOf(lines, path);
  if (shape === undefined) return [];
  const { columns } = shape;
  const { rowLine, states, cells } = recordsIn(lines, shape);
  const fitting = states.filter((state) => state === CELLS).length;
  const isTable = fitting >= LEAST_ROWS && fitting >= LEAST_FIT * states.length;
  if (!isTable) return [];
  const names = textsOf(lines, cells.slice(0, 2 * columns));
  const isNamed = states[0] === CELLS && new Set(names).size === columns &&
    names.every((name) => name.length < 80 && /[^\d\s.,:%"'+-]/.test(name));
  return [{
    lines,
    form: "CSV",
    rowLine: Uint32Array.from(rowLine),
    states: Uint8Array.from(states),
    columns,
    cells: Uint32Array.from(cells),
    head: isNamed ? 0 : -1,
    names: isNamed ? names : undefined,
    delimiter: shape.delimiter,
    layout: undefined,
  }];
}

/** The lines of all records, what each is, and the starts and ends of their cells; without other text at both ends. */
function recordsIn(lines: Lines, shape: Shape) {
  const { columns } = shape;
  const rowLine: number[] = [];
  const states: number[] = [];
  const cells: number[] = [];
  let hasRow = false;
  for (let line = 0; line < lines.count;) {
    const mark = cells.length;
    const next = readCells({ lines, cells }, line, shape);
    const isRow = cells.length - mark === 2 * columns;
    hasRow ||= isRow;
    // Other text above the header is left out.
    const isPart = hasRow || line >= MOST_OTHER;
    if (!isRow) {
      cells.length = mark;
      for (let i = 0; isPart && i < 2 * columns; i++) cells.push(0);
    }
    if (isPart) {
      rowLine.push(line);
      states.push(isRow ? CELLS : PLAIN);
    }
    line = next;
  }
  rowLine.push(lines.count);
  for (let i = 0; i < MOST_OTHER && states.at(-1) === PLAIN; i++) {
    states.pop();
    rowLine.pop();
  }
  return { rowLine, states, cells };
}

/** Adds the cells of a record, those that are one put together; returns the line after it. */
function readCells(
  { lines, cells }: Omit<Cut, "delimiter">,
  line: number,
  { delimiter, columns, rest }: Shape,
): number {
  const mark = cells.length;
  const next = readRecord({ lines, cells, delimiter }, line);
  const surplus = (cells.length - mark) / 2 - columns;
  // The end of one cell and the start of the next, of each that belong together.
  if (rest >= 0 && surplus > 0) cells.splice(mark + 2 * rest + 1, 2 * surplus);
  // Cells between tabs may be padded too.
  const own = delimiter === "\t" ? cells.splice(mark) : [];
  for (let j = 0; j < own.length; j += 2) {
    addCell(lines, cells, [own[j] ?? 0, own[j + 1] ?? 0]);
  }
  return next;
}

/** Where records are cut, and what gets their cells. */
export interface Cut {
  readonly lines: Lines;
  /** Start and end of each cell. */
  readonly cells: number[];
  readonly delimiter: string;
}

/** Adds the start and end of each cell of the record at `line`, none where its quotes do not close; returns the line after it. O(record). */
export function readRecord(
  { lines, cells, ...cut }: Cut,
  line: number,
): number {
  const { codes } = lines;
  const delimiter = cut.delimiter.charCodeAt(0);
  const mark = cells.length;
  const most = Math.min(lines.count, line + LONGEST_RECORD) - 1;
  let last = line;
  let end = contentEnd(lines, line);
  let start = lineStart(lines, line);
  let isOpen = false;
  for (let at = start; at < end || isOpen; at++) {
    if (at >= end) {
      if (last >= most) {
        cells.length = mark;
        return line + 1;
      }
      end = contentEnd(lines, ++last);
      continue;
    }
    const code = codes[at];
    if (code === QUOTE && (isOpen || at === start)) {
      if (isOpen && codes[at + 1] === QUOTE) at++;
      else isOpen = !isOpen;
    } else if (code === delimiter && !isOpen) {
      cells.push(start, at);
      start = at + 1;
    }
  }
  cells.push(start, end);
  return last + 1;
}

/** The delimiter at which nearly all of the first records are cut alike, and look like data. */
function shapeOf(lines: Lines, path: string): Shape | undefined {
  // JSON, markup, comments.
  if (/^\s*[{[<]/.test(lines.text.slice(0, 100))) return undefined;
  let best: (Shape & { readonly share: number }) | undefined;
  for (const delimiter of DELIMITERS) {
    const records = firstRecords(lines, delimiter);
    const found = columnsOf(records);
    if (found === undefined) continue;
    const shape = { delimiter, ...found };
    const isBetter = best === undefined || shape.share > best.share ||
      (shape.share === best.share && shape.columns > best.columns);
    if (isBetter && isData(records, shape, path)) best = shape;
  }
  return best;
}

/** Cells of the first records; none when the first lines lack the delimiter. */
function firstRecords(lines: Lines, delimiter: string): string[][] {
  const records: string[][] = [];
  for (let line = 0; line < lines.count && records.length < SAMPLE;) {
    if (records.length === 4 && records.every(({ length }) => length < 2)) {
      return [];
    }
    const cells: number[] = [];
    line = readRecord({ lines, cells, delimiter }, line);
    records.push(textsOf(lines, cells));
  }
  return records;
}

/** Cells of most records, but for other text at both ends; or those of the header, where rows have as many or more. */
function columnsOf(
  records: readonly (readonly string[])[],
): Omit<Shape, "delimiter"> & { readonly share: number } | undefined {
  const counts = countsOf(records.map(({ length }) => length));
  const [[most, times] = [0, 0]] = [...counts].sort((a, b) => b[1] - a[1]);
  const spare = Math.min(MOST_OTHER, records.length - times);
  const share = times / Math.max(1, records.length - spare);
  const [head = []] = records;
  const columns = head.length;
  const full = records.slice(1).filter(({ length }) => length >= columns);
  const mayHaveSurplus = columns > 2 && (most > columns || share < 1) &&
    full.length + 1 >= LEAST_FIT * records.length && areNames(head);
  for (let rest = mayHaveSurplus ? columns - 1 : -1; rest > 0; rest--) {
    const shape = { columns, rest };
    if (areAlike(full.map((record) => merged(record, shape)), rest)) {
      return { ...shape, share: 1 };
    }
  }
  const isTable = most > 1 && share >= LEAST_FIT;
  return isTable ? { columns: most, rest: -1, share } : undefined;
}

/** The cells of a record, those that are one put together. */
function merged(
  record: readonly string[],
  { columns, rest }: Pick<Shape, "columns" | "rest">,
): readonly string[] {
  const surplus = record.length - columns;
  if (rest < 0 || surplus <= 0) return record;
  const one = record.slice(rest, rest + surplus + 1).join(",");
  return [...record.slice(0, rest), one, ...record.slice(rest + surplus + 1)];
}

/** Whether each column has numbers only, or none, and no cell but that at `rest` starts like a word of a sentence. */
function areAlike(
  records: readonly (readonly string[])[],
  rest: number,
): boolean {
  return (records[0] ?? []).every((_, j) => {
    const cells = records.map((record) => record[j] ?? "");
    const numbers = cells.filter((cell) => /^"?[-+$€]?\d/.test(cell)).length;
    return Math.min(numbers, cells.length - numbers) <=
        (1 - LEAST_FIT) * cells.length &&
      (j === rest || !cells.some((cell) => cell.startsWith(" ")));
  });
}

function areNames(cells: readonly string[]): boolean {
  return new Set(cells).size === cells.length &&
    cells.every((cell) =>
      NAME.test(cell) && cell.trim().split(" ").length <= MOST_NAME_WORDS
    );
}

/** Not prose, code or messages with commas: fewer signs are needed of a `.csv`. */
function isData(
  records: readonly (readonly string[])[],
  { columns, delimiter, rest }: Shape,
  path: string,
): boolean {
  const [head = [], ...body] = records
    .map((record) => merged(record, { columns, rest }))
    .filter(({ length }) => length === columns)
    .map((record) => record.filter((_, j) => j !== rest));
  // A padded name is two: not all columns are known.
  const isPadded = head.some((name) => /\S {2,}\S/.test(name));
  if (isPadded || body.length < LEAST_ROWS - 1) return false;
  if (DATA_FILE.test(path)) return true;
  const areNumbers = (j: number) =>
    body.every((cells) => NUMBER.test(cells[j]?.trim() ?? ""));
  const arePairs = columns > 2 ||
    (body.length >= LEAST_PAIRS && (areNumbers(0) || areNumbers(1)));
  if (!areNames(head) || !arePairs) return false;
  const cells = body.flat().filter((cell) => !cell.startsWith('"'));
  const spaced = cells.filter((cell) => cell.startsWith(" "));
  const words = cells.reduce(
    (sum, cell) => sum + (cell.match(/\S+/g)?.length ?? 0),
    0,
  );
  return (delimiter !== "," || spaced.length <= MOST_SPACED * cells.length) &&
    words <= MOST_WORDS * cells.length;
}
