/** What the cells of a column have in common, said once in the header. @module */
import { cellText, firstBodyRow, linesText, type Table } from "./table.ts";

/** How a column is written. */
export type ColumnPlan =
  /** Each cell as it is. */
  | { readonly type: "own" }
  /** The header says the value of every row; rows do not have the column. */
  | { readonly type: "constant"; readonly value: string }
  /** The header says the common start and end. */
  | {
    readonly type: "affix";
    readonly prefix: string;
    readonly suffix: string;
  }
  /** A cell equal to the one above is written as {@linkcode DITTO}. */
  | { readonly type: "ditto" };

/** Stands for the cell above. */
export const DITTO = "″";

/** UTF-16 units of a common start or end, at least. */
const SHORTEST_AFFIX = 5;
/** The same where rows are left out, so that few cells need the header to be read. */
const SHORTEST_ELIDED_AFFIX = 24;
const LONGEST_AFFIX = 400;
/** Rows of the body that make a plan worth while. */
const LEAST_ROWS = 3;
/** Of the rows, how many repeat the one above. */
const DITTO_SHARE = 0.5;
/** UTF-16 units of a repeated cell, at least. */
const DITTO_LENGTH = 5;
const QUOTE = 34;

const OWN: ColumnPlan = { type: "own" };

/**
 * Decides how each column is written. O(cells).
 *
 * @param mayDitto Whether all rows follow one another.
 */
export function planColumns(table: Table, mayDitto: boolean): ColumnPlan[] {
  const columns = Array.from({ length: table.columns }, (_, j) => j);
  const body = table.rows - firstBodyRow(table);
  if (!isNameable(table) || body < LEAST_ROWS) return columns.map(() => OWN);
  const isDittoFree = mayDitto &&
    !linesText(table.lines, table.from, table.to).includes(DITTO);
  const shortest = mayDitto ? SHORTEST_AFFIX : SHORTEST_ELIDED_AFFIX;
  const plans = columns.map((j) =>
    constantOf(table, j) ?? affixOf(table, j, shortest) ??
      (isDittoFree ? dittoOf(table, j) : undefined) ?? OWN
  );
  // A row needs a column.
  if (plans.every(({ type }) => type === "constant")) plans[0] = OWN;
  return plans;
}

/** Whether what stands behind a name can be told from the name. */
function isNameable({ names }: Table): boolean {
  return names !== undefined && names.every((name) => !/[=*]/.test(name));
}

function constantOf(table: Table, j: number): ColumnPlan | undefined {
  let value: string | undefined;
  for (let row = firstBodyRow(table); row < table.rows; row++) {
    if (table.plain[row]) continue;
    if (value === undefined) value = cellText(table, row, j);
    else if (!isCell(table, row, j, value)) return undefined;
  }
  return value === undefined || value.includes("\n")
    ? undefined
    : { type: "constant", value };
}

/** Whether a cell has this text, without making a string of it. */
function isCell(table: Table, row: number, j: number, value: string): boolean {
  const at = 2 * (row * table.columns + j);
  const from = table.cells[at]!;
  return table.cells[at + 1]! - from === value.length &&
    table.lines.text.startsWith(value, from);
}

function affixOf(
  table: Table,
  j: number,
  shortest: number,
): ColumnPlan | undefined {
  const { lines: { text, codes }, cells, columns, plain, rows } = table;
  let first = firstBodyRow(table);
  while (first < rows && plain[first]) first++;
  if (first >= rows) return undefined;
  const model = cellText(table, first, j);
  let start = Math.min(model.length, LONGEST_AFFIX);
  let end = start;
  for (let row = first; row < rows && (start > 0 || end > 0); row++) {
    if (plain[row]) continue;
    const at = 2 * (row * columns + j);
    const from = cells[at]!;
    const to = cells[at + 1]!;
    // A quoted cell cannot be told from others once its quote is gone.
    if (codes[from] === QUOTE && from < to) return undefined;
    const room = to - from;
    start = Math.min(start, room);
    end = Math.min(end, room);
    let same = 0;
    while (
      same < start && text.charCodeAt(from + same) === model.charCodeAt(same)
    ) same++;
    start = same;
    same = 0;
    while (
      same < end && text.charCodeAt(to - 1 - same) ===
        model.charCodeAt(model.length - 1 - same)
    ) same++;
    end = same;
  }
  const prefix = wholePrefix(model.slice(0, start));
  const suffix = wholeSuffix(model.slice(model.length - end));
  return affixPlan(table, j, {
    prefix: prefix.length < shortest ? "" : prefix,
    suffix: suffix.length < shortest ? "" : suffix,
  });
}

function affixPlan(
  table: Table,
  j: number,
  { prefix, suffix }: { prefix: string; suffix: string },
): ColumnPlan | undefined {
  if (prefix === "" && suffix === "") return undefined;
  const least = prefix.length + suffix.length;
  for (let row = firstBodyRow(table); row < table.rows; row++) {
    if (table.plain[row]) continue;
    const at = 2 * (row * table.columns + j);
    // What is left must show that it is something, and not look like a quoted cell.
    if (table.cells[at + 1]! - table.cells[at]! <= least) return undefined;
    const next = table.lines.codes[table.cells[at]! + prefix.length];
    if (next === QUOTE) return undefined;
  }
  return { type: "affix", prefix, suffix };
}

/** Up to the last character that is neither letter nor digit, so that no word or number is cut. */
function wholePrefix(prefix: string): string {
  return /^.*[/:._@=,#-]/.exec(prefix)?.[0] ?? "";
}

function wholeSuffix(suffix: string): string {
  return /[/:._@=,#-].*$/.exec(suffix)?.[0] ?? "";
}

function dittoOf(table: Table, j: number): ColumnPlan | undefined {
  const { columns, cells, rows, plain } = table;
  let repeated = 0;
  let body = 0;
  let units = 0;
  for (let row = firstBodyRow(table) + 1; row < rows; row++) {
    if (plain[row] || plain[row - 1]) continue;
    body++;
    const above = cellText(table, row - 1, j);
    if (above === "" || !isCell(table, row, j, above)) continue;
    repeated++;
    const at = 2 * (row * columns + j);
    units += cells[at + 1]! - cells[at]!;
  }
  const isWorth = repeated >= LEAST_ROWS && repeated >= DITTO_SHARE * body &&
    units >= DITTO_LENGTH * repeated;
  return isWorth ? { type: "ditto" } : undefined;
}
