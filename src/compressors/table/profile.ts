/** What the columns of a table hold: numbers, few different values, and the rows that stand out by them. @module */
import { codeAt, offsetAt } from "../../text/lines.ts";
import { quantityAt } from "../../text/signs/quantity.ts";
import { bodyOf, cellText, isListing, type Table } from "./layout.ts";

/** A column. */
export interface Profile {
  readonly column: number;
  readonly name: string;
  /** One per row, `NaN` for none, where they measure or count something; ids and times do not. */
  readonly numbers: Float64Array | undefined;
  /** Rows of such a column that have something else. */
  readonly others: readonly number[];
  /** Rows of each value; `undefined` when there are many. */
  readonly values: ReadonlyMap<string, readonly number[]> | undefined;
}

/** Columns that are looked at. */
const MOST_COLUMNS = 64;
/** Different values of a column with few, share of the rows that they are, and UTF-16 units of one. */
const MOST_VALUES = 20;
const VALUE_SHARE = 0.34;
const LONGEST_VALUE = 80;
/** Rare values of one column; share of the rows that one has at most, and that all together have. */
const MOST_RARE = 5;
const RARE_SHARE = 0.02;
const ALL_RARE_SHARE = 0.2;
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
      const others: number[] = [];
      const isId = ID.test(name) && name !== "TIME" && name !== "TIME+";
      const numbers = isId
        ? undefined
        : numbersOf(table, body, { column, others });
      const values = valuesOf(table, body, column);
      return { column, name, numbers, others, values };
    },
  );
}

/** @param others Gets the rows that have no number. */
function numbersOf(
  table: Table,
  body: readonly number[],
  { column, others }: { readonly column: number; readonly others: number[] },
): Float64Array | undefined {
  const { cells, columns, lines: { codes }, states } = table;
  const numbers = new Float64Array(states.length).fill(NaN);
  let isRising = true;
  let last = -Infinity;
  for (const row of body) {
    const at = 2 * (row * columns + column);
    const isQuoted = codeAt(codes, offsetAt(cells, at)) === QUOTE ? 1 : 0;
    const start = offsetAt(cells, at) + isQuoted;
    const end = offsetAt(cells, at + 1) - isQuoted;
    const plain = quantityAt(codes, { start, end }, end);
    const value = Number.isNaN(plain) && codeAt(codes, end - 1) > 57
      ? sizeOf(table.lines.text.slice(start, end))
      : plain;
    numbers[row] = value;
    if (!Number.isNaN(value)) {
      isRising &&= value > last;
      last = value;
    } else if (others.push(row) > 2 + body.length / 10) return undefined;
  }
  return isRising || 2 * others.length >= body.length ? undefined : numbers;
}

const QUOTE = 34;
/** Units as `df -h`, `kubectl top` and ages have them; the others are known to `quantityAt`. */
const SIZE = /^(-?\d+(?:\.\d+)?)([kKMGTmhd])i?$/;
const FACTORS: ReadonlyMap<string, number> = new Map([
  ["k", 2 ** 10],
  ["K", 2 ** 10],
  ["M", 2 ** 20],
  ["G", 2 ** 30],
  ["T", 2 ** 40],
  ["m", 60],
  ["h", 3600],
  ["d", 86_400],
]);

function sizeOf(cell: string): number {
  const [, digits, unit = ""] = SIZE.exec(cell) ?? [];
  return Number(digits) * (FACTORS.get(unit) ?? NaN);
}

function valuesOf(
  table: Table,
  body: readonly number[],
  column: number,
): Map<string, number[]> | undefined {
  const most = Math.min(MOST_VALUES, Math.ceil(VALUE_SHARE * body.length));
  const values = new Map<string, number[]>();
  for (const row of body) {
    const value = cellText(table, row, column);
    const rows = values.get(value);
    if (rows !== undefined) rows.push(row);
    else if (values.size === most || value.length > LONGEST_VALUE) {
      return undefined;
    } else values.set(value, [row]);
  }
  return values;
}

/** The first row of each rare value of a column. */
export function rareRows(
  { values = new Map(), numbers, others }: Profile,
): readonly number[] {
  if (numbers !== undefined) return others.slice(0, MOST_RARE);
  const lists = [...values.values()];
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  const limit = Math.max(1, Math.floor(total * RARE_SHARE));
  const rare = lists.filter(({ length }) => length <= limit);
  const share = rare.reduce((sum, { length }) => sum + length, 0) / total;
  const first = rare.slice(0, MOST_RARE).flatMap((rows) => rows.slice(0, 1));
  return share > ALL_RARE_SHARE ? [] : first;
}

/** Rows of the least and the largest number of a column; none when all are equal. O(rows). */
export function endRows({ numbers = new Float64Array() }: Profile): number[] {
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

/** Rows of a list of which a note gives all names, and columns of such a list. */
const MOST_LISTED = 200;
const LIST_COLUMNS = 3;

/** The column of names of a table that is a short list of them; `undefined` of another. O(rows). */
export function namesIn(table: Table): number | undefined {
  const body = bodyOf(table);
  if (body.length > MOST_LISTED) return undefined;
  if (isListing(table)) {
    return { "ls -l": table.columns - 1, "dpkg -l": 1 }[table.form] ?? 0;
  }
  const isNamed = (row: number) =>
    /^.{0,60}$/.test(cellText(table, row, 0)) &&
    /[a-z]/i.test(cellText(table, row, 0));
  return table.columns <= LIST_COLUMNS && body.every(isNamed) ? 0 : undefined;
}
