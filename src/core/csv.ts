/** Rows as comma-separated values, for spreadsheets. @module */

/** What stands in a field; `null` is an empty one. */
export type CsvValue = string | number | boolean | null;

/** Decimals of a number: dollars have nine at most. */
const DECIMALS = 9;

/** A header and rows as CSV: lines end with CR LF, fields are quoted where they must be, and none is a formula. */
export function csvText<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, CsvValue>>[],
): string {
  const lines = [
    columns.map(field),
    ...rows.map((row) => columns.map((column) => field(row[column]))),
  ];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

function field(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "number") return decimal(value);
  const text = withoutFormula(`${value}`);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Clients choose names, and spreadsheets run what begins like a formula: such a text gets an apostrophe before it.
 * Numbers, and names like `@cf/meta/llama-3`, run nothing.
 */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[-@][\w./:@-]*$/.test(text)
    ? `'${text}`
    : text;
}

/** No exponent: not every spreadsheet reads `1e-7`. */
function decimal(value: number): string {
  if (Number.isInteger(value)) return `${value}`;
  return value.toFixed(DECIMALS).replace(/\.?0+$/, "");
}
