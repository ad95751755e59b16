/** A text with its tables written short, without loss. @module */
import type { Lines } from "../../text/lines.ts";
import { type Layout, layoutWords } from "./layout.ts";
import { planColumns } from "./plan.ts";
import { firstBodyRow, linesText, type Table } from "./table.ts";
import {
  AS_IT_WAS,
  headText,
  rowText,
  splitFor,
  type Writing,
} from "./write.ts";

/** Starts the note above a table that was written short. */
export const NOTE = "… (";
/** What a note says about its table besides the layout. */
export const HINTS = {
  /** The header holds a value. */
  constant: "name=value holds for all rows",
  /** The header holds a start or an end. */
  affix: "* is the cell",
  /** Cells repeat. */
  ditto: "″ repeats the cell above",
  /** Newlines follow carriage returns. */
  crlf: "all lines end in CRLF",
  /** Rows are kept. */
  plain: `lines after ${AS_IT_WAS} as they were`,
} as const;

/**
 * Writes every table short; `undefined` when the text has lines that look like a note. O(n).
 *
 * @param isCrlf Whether the inverse ends lines with `\r\n`.
 */
export function foldTables(
  lines: Lines,
  tables: readonly Table[],
  isCrlf = false,
): string | undefined {
  const { text } = lines;
  if (text.startsWith(NOTE) || text.includes(`\n${NOTE}`)) return undefined;
  const parts: string[] = [];
  let from = 0;
  for (const table of tables) {
    const folded = foldTable(table, isCrlf);
    if (folded === undefined) continue;
    if (table.from > from) parts.push(linesText(lines, from, table.from));
    parts.push(folded);
    from = table.to;
  }
  if (from === 0) return undefined;
  if (from < lines.count) parts.push(linesText(lines, from, lines.count));
  return parts.join("\n") + (text.endsWith("\n") ? "\n" : "");
}

/** Note, header and rows; `undefined` when nothing about the table gets shorter. */
function foldTable(table: Table, isCrlf: boolean): string | undefined {
  const split = splitFor(table);
  if (split === undefined) return undefined;
  const plans = planColumns(table, true);
  const isTight = table.layout.name === "CSV" || table.layout.name === "TSV";
  if (isTight && plans.every(({ type }) => type === "own")) return undefined;
  const writing: Writing = { table, plans, split };
  const rows: string[] = [];
  const isNamed = table.names !== undefined;
  if (isNamed) rows.push(headText(writing));
  const body = isNamed ? firstBodyRow(table) : 0;
  for (let row = body; row < table.rows; row++) {
    rows.push(rowText(writing, row));
  }
  const before = linesText(table.lines, table.from, table.to);
  const after = rows.join("\n");
  const layout = { ...table.layout, split };
  const count = countLines(after);
  const note = noteText(layout, count, [
    ...hintsOf(writing),
    ...(isCrlf ? [HINTS.crlf] : []),
  ]);
  const folded = `${note}\n${after}`;
  return folded.length < before.length ? folded : undefined;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}

function noteText(layout: Layout, count: number, hints: readonly string[]) {
  const words = [layoutWords(layout), ...hints].join("; ");
  return `${NOTE}${count} lines of ${words})`;
}

/** What a reader must know about the columns. */
function hintsOf({ table, plans }: Writing): string[] {
  const has = (type: string) => plans.some((plan) => plan.type === type);
  const isKept = table.plain.includes(1);
  return [
    has("constant") ? HINTS.constant : "",
    has("affix") ? HINTS.affix : "",
    has("ditto") ? HINTS.ditto : "",
    isKept ? HINTS.plain : "",
  ].filter((hint) => hint !== "");
}
