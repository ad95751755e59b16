/** What the cells of a column are: numbers, or few different values. @module */
import { numberIn } from "./number.ts";
import { cellText, firstBodyRow, type Table } from "./table.ts";

/** One column of the body. */
export interface Profile {
  /** Index of the column. */
  readonly column: number;
  /** Value of each row, `NaN` where there is none; `undefined` when the cells are not numbers. */
  readonly numbers: Float64Array | undefined;
  /** Whether the numbers measure or count something; ids and times do not. */
  readonly isMeasure: boolean;
  /** Rows of each value when there are few different ones. */
  readonly categories: ReadonlyMap<string, readonly number[]> | undefined;
}

/** Cells of which a column of numbers may have others, as `-` or nothing. */
const OTHER_SHARE = 0.1;
/** Different values of a column with few. */
const MOST_VALUES = 20;
/** Of the rows, how many values there may be. */
const VALUE_SHARE = 0.34;
/** UTF-16 units of a value that is one of few. */
const LONGEST_VALUE = 80;
/** Columns that are looked at. */
const MOST_COLUMNS = 64;

/** Names of numbers that only tell things apart. */
const ID =
  /^"?(?:.*[_ ])?(?:id|pid|ppid|uid|gid|port|zip|inode|node|year|day|start|stime|time)"?$|Id$|ID$/i;
/** `TIME` of a process is used up, not when it was. */
const USED_TIME = /^TIME\+?$/;

/** Profiles of the first 64 columns. O(cells). */
export function profilesOf(table: Table): Profile[] {
  const count = Math.min(table.columns, MOST_COLUMNS);
  return Array.from({ length: count }, (_, column) => {
    const numbers = numbersOf(table, column);
    return {
      column,
      numbers,
      isMeasure: numbers !== undefined && !isRising(numbers) &&
        !isId(table.names?.[column] ?? ""),
      categories: categoriesOf(table, column),
    };
  });
}

function numbersOf(table: Table, column: number): Float64Array | undefined {
  const { rows, columns, cells, plain, lines } = table;
  const numbers = new Float64Array(rows).fill(NaN);
  const first = firstBodyRow(table);
  const most = 2 + OTHER_SHARE * (rows - first);
  let others = 0;
  let found = 0;
  for (let row = first; row < rows; row++) {
    if (plain[row]) continue;
    const at = 2 * (row * columns + column);
    const value = numberIn(lines.codes, cells[at]!, cells[at + 1]!);
    numbers[row] = value;
    if (!Number.isNaN(value)) found++;
    else if (++others > most) return undefined;
  }
  return found > others ? numbers : undefined;
}

function isId(name: string): boolean {
  return ID.test(name) && !USED_TIME.test(name);
}

/** Ids and times rise from row to row; what a query sorted falls, or stands still at times. */
function isRising(numbers: Float64Array): boolean {
  let last = -Infinity;
  for (const value of numbers) {
    if (Number.isNaN(value)) continue;
    if (value <= last) return false;
    last = value;
  }
  return true;
}

function categoriesOf(
  table: Table,
  column: number,
): Map<string, number[]> | undefined {
  const first = firstBodyRow(table);
  const limit = Math.min(
    MOST_VALUES,
    Math.ceil(VALUE_SHARE * (table.rows - first)),
  );
  const values = new Map<string, number[]>();
  for (let row = first; row < table.rows; row++) {
    if (table.plain[row]) continue;
    const value = cellText(table, row, column);
    const rows = values.get(value);
    if (rows !== undefined) rows.push(row);
    else if (values.size === limit || value.length > LONGEST_VALUE) {
      return undefined;
    } else values.set(value, [row]);
  }
  return values.size === 0 ? undefined : values;
}
