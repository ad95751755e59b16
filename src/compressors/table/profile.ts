/** What the columns of a table hold: numbers, few different values, and the rows that stand out by them. @module */
import { codeAt, offsetAt } from "../../text/lines.ts";
import { type Series, seriesOf } from "../../text/series.ts";
import { breakRows } from "../../text/signs/breaks.ts";
import { oddCells, shapeOf } from "../../text/signs/cell_shapes.ts";
import { groupsOf, rareRows } from "../../text/signs/columns.ts";
import { quantityAt } from "../../text/signs/quantity.ts";
import { timeAt } from "../../text/signs/times.ts";
import { bodyOf, cellText, isListing, type Table } from "./layout.ts";

/** A column. */
export interface Profile {
  readonly column: number;
  readonly name: string;
  /** One per row, `NaN` for none, where they measure or count something; ids and times do not. */
  readonly numbers: Float64Array | undefined;
  /** The same for times and dates, in milliseconds. */
  readonly times: Float64Array | undefined;
  /**
   * The first row of each rare value and of each rare shape; of a column of numbers, rows that have none; rows on both
   * sides of gaps in what rises or falls.
   */
  readonly rare: readonly number[];
}

/** Columns that are looked at. */
const MOST_COLUMNS = 64;
/** Different values of a column with few. */
const MOST_VALUES = 200;
/** Different numbers of a column in which they stand for states. */
const FEW_NUMBERS = 6;
/** Rare values of one column, and rows that hold them: all rows of a value that so few have, of others the first. */
const MOST_RARE = 5;
const FEW_ROWS = 10;
const MOST_RARE_ROWS = 16;
/** Names of numbers that only tell things apart; `TIME` of a process is used up, not when it was. */
const ID =
  /^"?(?:.*[_ ])?(?:id|pid|ppid|uid|gid|port|zip|inode|node|year|day|start|stime|time)"?$|Id$|ID$/i;

/** The first columns of a table. O(cells). */
export function profilesOf(table: Table): Profile[] {
  const body = bodyOf(table);
  return Array.from(
    { length: Math.min(table.columns, MOST_COLUMNS) },
    (_, column) => {
      const name = table.names?.[column] || `column ${column + 1}`;
      const isId = ID.test(name) && name !== "TIME" && name !== "TIME+";
      const all = seriesOf(
        body.length,
        (i) => numberIn(table, body[i] ?? 0, column),
      );
      const isCounter = isId || (all !== undefined && rises(all.values));
      const numbers = isCounter ? undefined : inRows(all, table, body);
      const read = all ?? timesIn(table, body, column);
      const times = all === undefined ? inRows(read, table, body) : undefined;
      const others = all?.others.slice(0, MOST_RARE) ?? [];
      const values = numbers === undefined
        ? rareIn(table, body, column, MOST_VALUES)
        : [
          ...others.map((i) => body[i] ?? 0),
          ...rareIn(table, body, column, FEW_NUMBERS),
        ];
      const breaks = read === undefined
        ? []
        : breakRows(read.values, times !== undefined);
      const rare = [
        ...new Set(values.slice(0, MOST_RARE_ROWS)),
        ...isListing(table) ? [] : oddIn(table, body, column),
        ...breaks.map((i) => body[i] ?? 0),
      ];
      return { column, name, numbers, times, rare: [...new Set(rare)] };
    },
  );
}

/** Number of a cell, also in quotes. */
function numberIn(table: Table, row: number, column: number): number {
  const { cells, columns, lines: { codes } } = table;
  const at = 2 * (row * columns + column);
  const isQuoted = codeAt(codes, offsetAt(cells, at)) === QUOTE ? 1 : 0;
  const start = offsetAt(cells, at) + isQuoted;
  return numberAt(table, start, offsetAt(cells, at + 1) - isQuoted);
}

/** Whether the values only rise. */
function rises(values: Float64Array): boolean {
  let last = -Infinity;
  return values.every((value) => {
    const isMore = Number.isNaN(value) || value > last;
    if (!Number.isNaN(value)) last = value;
    return isMore;
  });
}

/** Values of the rows of the body, by the rows of the table. */
function inRows(
  series: Series | undefined,
  { states }: Table,
  body: readonly number[],
): Float64Array | undefined {
  if (series === undefined) return undefined;
  const values = new Float64Array(states.length).fill(NaN);
  for (const [i, row] of body.entries()) values[row] = series.values[i]!;
  return values;
}

/** A number with a unit or with an exponent. */
function numberAt(
  { lines: { codes, text } }: Table,
  start: number,
  end: number,
): number {
  const value = quantityAt(codes, { start, end }, end);
  if (!Number.isNaN(value) || end - start > LONGEST_EXPONENT) return value;
  const source = text.slice(start, end);
  return EXPONENT.test(source) ? Number(source) : NaN;
}

function timesIn(
  { cells, columns, lines: { text } }: Table,
  body: readonly number[],
  column: number,
): Series | undefined {
  return seriesOf(body.length, (i) => {
    const at = 2 * ((body[i] ?? 0) * columns + column);
    return timeAt(text, offsetAt(cells, at), offsetAt(cells, at + 1));
  });
}

/** The first row of each shape of cells that few others have. */
function oddIn(
  { cells, columns, lines: { codes } }: Table,
  body: readonly number[],
  column: number,
): number[] {
  return oddCells(body.length, (i) => {
    const at = 2 * ((body[i] ?? 0) * columns + column);
    return shapeOf(codes, offsetAt(cells, at), offsetAt(cells, at + 1));
  }).map(({ row }) => body[row] ?? 0);
}

const QUOTE = 34;
const EXPONENT = /^[-+]?\d+(?:\.\d+)?[eE][-+]?\d+$/;
const LONGEST_EXPONENT = 30;

function rareIn(
  table: Table,
  body: readonly number[],
  column: number,
  most: number,
): number[] {
  const cells = new Int32Array(body.length);
  for (let i = 0; i < cells.length; i++) cells[i] = (body[i] ?? 0) + 1;
  const keyOf = (cell: number) => cellText(table, cell - 1, column);
  const groups = groupsOf(cells, keyOf, most);
  const first = rareRows(groups).slice(0, MOST_RARE).map(({ row }) => row);
  if (first.length === 0) return [];
  const rare = new Set(
    first.map((row) => groups?.of[row] ?? 0)
      .filter((group) => (groups?.sizes[group] ?? 0) <= FEW_ROWS),
  );
  const rows = [...cells.keys()].filter((row) =>
    rare.has(groups?.of[row] ?? 0)
  );
  return [...new Set([...first, ...rows])].map((row) => body[row] ?? 0);
}

/** Rows of the least and the largest number or time of a column; none when all are equal. O(rows). */
export function endRows(profile: Profile): number[] {
  const numbers = profile.numbers ?? profile.times ?? new Float64Array();
  let least = -1;
  let most = -1;
  for (const [row, value] of numbers.entries()) {
    if (!(value >= (numbers[least] ?? Infinity))) {
      if (!Number.isNaN(value)) least = row;
    }
    if (value > (numbers[most] ?? -Infinity)) most = row;
  }
  return numbers[least] === numbers[most] ? [] : [least, most];
}
