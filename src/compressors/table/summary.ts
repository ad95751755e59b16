/** One line on what the rows left out hold, and the sums over all rows. @module */
import { decimalsOf } from "./number.ts";
import type { Profile } from "./profile.ts";
import type { Selection } from "./select.ts";
import { cellText, firstBodyRow, type Table } from "./table.ts";

const MOST_PARTS = 6;
const MOST_VALUES = 6;
const MOST_NUMBERS = 3;
/** UTF-16 units of all parts, and of one value. */
const LONGEST = 300;
const LONGEST_VALUE = 40;
/** Fewer rows are not worth a line. */
const LEAST_ROWS = 8;
const MOST_SUMS = 4;
/** Column of the size in a listing of files. */
const LAST_OF_FILE = 4;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ][\d:.,+Z-]*)?$/;
/** Names of numbers that nobody adds up. */
const NAMES =
  /(?:^|[_\s])(?:month|code|version|lat|lon|lng|latitude|longitude|nr|no|line|row|index|rank|priority|pri?|ni|status|percent|pct|rate|ratio|avg|mean|median|p\d\d)\b|%/i;
/** Sums up to this size are exact when they are counted in units of the last decimal. */
const EXACT = Number.MAX_SAFE_INTEGER;
const MOST_DECIMALS = 6;

/**
 * Says how often each value of a column with few stands in the rows left out, and from where to where others go;
 * of numbers that can be added up also the sum over all rows.
 *
 * @returns Empty when there is nothing to say.
 */
export function summaryOf(table: Table, selection: Selection): string {
  const { keep, profiles } = selection;
  const omitted = keep.reduce((sum, kept) => sum + 1 - kept, 0);
  if (omitted < LEAST_ROWS) return "";
  const parts: string[] = [];
  let size = 0;
  const isListing = table.layout.name === "ls -l";
  const add = (column: number, text: string | undefined) => {
    if (text === undefined || parts.length === MOST_PARTS) return;
    // Of files only mode, owner, group and size are worth counting.
    if (isListing && (column === 1 || column > LAST_OF_FILE)) return;
    const name = table.names?.[column] ?? `column ${column + 1}`;
    const part = `${name} ${text}`;
    if (size + part.length > LONGEST) return;
    size += part.length;
    parts.push(part);
  };
  const counts = profiles.map((profile) => countsOf(table, profile, keep));
  profiles.forEach(({ column }, i) => add(column, counts[i]));
  profiles.forEach((profile, i) => {
    if (counts[i] !== undefined || profile.categories?.size === 1) return;
    add(profile.column, rangeOf(table, profile, keep));
  });
  const sums = sumsOf(table, profiles);
  if (sums !== "") parts.push(sums);
  return parts.join("; ");
}

/** `Running×120, Completed×8`; the most frequent first. */
function countsOf(
  table: Table,
  { categories, numbers }: Profile,
  keep: Uint8Array,
): string | undefined {
  if (categories === undefined) return undefined;
  const counts: [value: string, count: number][] = [];
  for (const [value, rows] of categories) {
    let count = 0;
    for (const row of rows) count += 1 - keep[row]!;
    if (count > 0) counts.push([value, count]);
    if (value.length > LONGEST_VALUE) return undefined;
  }
  // A value of all rows is said above the table, or seen in each.
  if (categories.size === 1 && table.names !== undefined) return undefined;
  if (numbers !== undefined && counts.length > MOST_NUMBERS) return undefined;
  counts.sort((a, b) => b[1] - a[1]);
  const told = counts.filter(([, count], i) => count > 1 && i < MOST_VALUES);
  if (told.length === 0) return undefined;
  const share = told.reduce((sum, [, count]) => sum + count, 0);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  if (counts.length > MOST_VALUES && 2 * share < total) return undefined;
  const said = told.map(([value, count]) =>
    `${value === "" ? "(empty)" : value}×${count}`
  );
  const others = counts.length - told.length;
  if (others > 0) said.push(`${others} others×${total - share}`);
  return said.join(", ");
}

/** `0..12` as the text has it; `undefined` for anything but numbers and dates. */
function rangeOf(
  table: Table,
  { column, numbers }: Profile,
  keep: Uint8Array,
): string | undefined {
  let least: number | undefined;
  let most: number | undefined;
  const isLess = (a: number, b: number) =>
    numbers === undefined
      ? cellText(table, a, column) < cellText(table, b, column)
      : numbers[a]! < numbers[b]!;
  for (let row = firstBodyRow(table); row < table.rows; row++) {
    if (keep[row] || table.plain[row]) continue;
    if (numbers === undefined) {
      if (!DATE.test(cellText(table, row, column))) return undefined;
    } else if (Number.isNaN(numbers[row]!)) continue;
    if (least === undefined || isLess(row, least)) least = row;
    if (most === undefined || isLess(most, row)) most = row;
  }
  if (least === undefined || most === undefined) return undefined;
  return `${cellText(table, least, column)}..${cellText(table, most, column)}`;
}

/** `sum of all 200 rows: amount 5012.40, qty 310`. */
function sumsOf(table: Table, profiles: readonly Profile[]): string {
  const sums: string[] = [];
  for (const { column, numbers, isMeasure } of profiles) {
    const name = table.names?.[column];
    if (numbers === undefined || !isMeasure || name === undefined) continue;
    if (NAMES.test(name) || sums.length === MOST_SUMS) continue;
    const sum = sumOf(table, column, numbers);
    if (sum !== undefined) sums.push(`${name} ${sum}`);
  }
  const rows = table.rows - firstBodyRow(table);
  return sums.length === 0 ? "" : `sum of all ${rows} rows: ${sums.join(", ")}`;
}

/** The exact sum; `undefined` for units, empty cells, totals or sums too large. */
function sumOf(
  table: Table,
  column: number,
  numbers: Float64Array,
): string | undefined {
  let decimals = 0;
  for (let row = firstBodyRow(table); row < table.rows; row++) {
    if (table.plain[row]) return undefined;
    const places = decimalsOf(cellText(table, row, column));
    if (places < 0 || places > MOST_DECIMALS) return undefined;
    if (places > decimals) decimals = places;
  }
  const scale = 10 ** decimals;
  let sum = 0;
  for (let row = firstBodyRow(table); row < table.rows; row++) {
    sum += Math.round(numbers[row]! * scale);
    if (Math.abs(sum) > EXACT) return undefined;
  }
  return (sum / scale).toFixed(decimals);
}
