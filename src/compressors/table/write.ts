/** Rows of a table without padding and without what the header says for all of them. @module */
import { headItem } from "./heading.ts";
import { type ColumnPlan, DITTO } from "./plan.ts";
import { cellText, firstBodyRow, rowSource, type Table } from "./table.ts";

/** Stands before a row that is written as it was. */
export const AS_IT_WAS = "~";

/** In every row of this number a repeated cell is written again, so that it never stands far above. */
const DITTO_ROWS = 10;

/** How the rows of one table are written. */
export interface Writing {
  /** The table. */
  readonly table: Table;
  /** One per column. */
  readonly plans: readonly ColumnPlan[];
  /** What stands between two cells. */
  readonly split: string;
}

/**
 * Picks what stands between cells: what the layout says, or a bar or tab where cells hold it.
 *
 * @returns `undefined` when every candidate occurs in a cell.
 */
export function splitFor(table: Table): string | undefined {
  const { layout, lines, from, to } = table;
  if (layout.name === "CSV" || layout.name === "TSV") return layout.split;
  const isBox = layout.name === "box table";
  if (layout.name.endsWith(" table") && !isBox) return "|";
  if (!isBox && !hasBlankCells(table)) return layout.split;
  const text = lines.text.slice(lines.starts[from]!, lines.starts[to]!);
  return ["|", "\t"].find((split) => !text.includes(split));
}

/** Whether a cell before the last is empty or holds a blank. */
function hasBlankCells({ columns, rows, cells, plain, lines }: Table): boolean {
  for (let row = 0; row < rows; row++) {
    if (plain[row]) continue;
    const first = 2 * row * columns;
    for (let at = first; at < first + 2 * columns; at += 2) {
      const from = cells[at]!;
      const to = cells[at + 1]!;
      if (from === to) return true;
      if (at === first + 2 * columns - 2) continue;
      for (let i = from; i < to; i++) if (lines.codes[i] === 32) return true;
    }
  }
  return false;
}

/** The line of names; empty when there are none. */
export function headText({ table, plans, split }: Writing): string {
  if (table.names === undefined) return "";
  return table.names.map((name, j) => headItem({ name, plan: plans[j]! }))
    .join(split);
}

/** One row of the body. */
export function rowText(writing: Writing, row: number): string {
  const { table, plans, split } = writing;
  if (table.plain[row]) return AS_IT_WAS + rowSource(table, row);
  let text = "";
  let count = 0;
  for (let j = 0; j < plans.length; j++) {
    const plan = plans[j]!;
    if (plan.type === "constant") continue;
    const cell = cellText(table, row, j);
    if (count++ > 0) text += split;
    if (plan.type === "affix") {
      text += cell.slice(
        plan.prefix.length,
        cell.length - plan.suffix.length,
      );
    } else if (plan.type === "ditto" && isRepeated(table, row, j, cell)) {
      text += DITTO;
    } else text += cell;
  }
  return text;
}

function isRepeated(table: Table, row: number, j: number, cell: string) {
  const above = row - 1;
  const body = above - firstBodyRow(table);
  return body >= 0 && (body + 1) % DITTO_ROWS > 0 && !table.plain[above] &&
    cell !== "" && cellText(table, above, j) === cell;
}
