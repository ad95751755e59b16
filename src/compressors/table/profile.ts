/** What the columns of a table hold: numbers, few different values, and the rows that stand out by them. @module */
import { codeAt, offsetAt } from "../../text/lines.ts";
import { groupsOf, rareRows } from "../../text/signs/columns.ts";
import { quantityAt } from "../../text/signs/quantity.ts";
import { bodyOf, cellText, type Table } from "./layout.ts";

/** A column. */
export interface Profile {
  readonly column: number;
  readonly name: string;
  /** One per row, `NaN` for none, where they measure or count something; ids and times do not. */
  readonly numbers: Float64Array | undefined;
  /** The first row of each rare value; of a column of numbers, rows that have none. */
  readonly rare: readonly number[];
}

/** Columns that are looked at. */
const MOST_COLUMNS = 64;
/** Different values of a column with few. */
const MOST_VALUES = 200;
/** Rare values of one column. */
const MOST_RARE = 5;
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
      const rare = numbers === undefined ? rareIn(table, body, column) : others;
      return { column, name, numbers, rare: rare.slice(0, MOST_RARE) };
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
    const value = quantityAt(codes, { start, end }, end);
    numbers[row] = value;
    if (!Number.isNaN(value)) {
      isRising &&= value > last;
      last = value;
    } else if (others.push(row) > 2 + body.length / 10) return undefined;
  }
  return isRising || 2 * others.length >= body.length ? undefined : numbers;
}

const QUOTE = 34;

function rareIn(
  table: Table,
  body: readonly number[],
  column: number,
): number[] {
  const cells = new Int32Array(body.length);
  for (let i = 0; i < cells.length; i++) cells[i] = (body[i] ?? 0) + 1;
  const keyOf = (cell: number) => cellText(table, cell - 1, column);
  const groups = groupsOf(cells, keyOf, MOST_VALUES);
  return rareRows(groups).map(({ row }) => body[row] ?? 0);
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
