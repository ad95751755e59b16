/** A text whose long tables keep their telling rows, with a note in place of each gap. @module */
import type { CompressContext, Omitted } from "../../core/compressor.ts";
import { endsWithNewline, type Lines } from "../../text/lines.ts";
import { HINTS, NOTE } from "./fold.ts";
import { MARKDOWN } from "./frame.ts";
import { planColumns } from "./plan.ts";
import { type Selection, selectRows, type Sight, sightOf } from "./select.ts";
import { namesBetween, namesOf } from "./row_names.ts";
import { summaryOf } from "./summary.ts";
import { firstBodyRow, linesText, rowSource, type Table } from "./table.ts";
import { headText, rowText, splitFor, type Writing } from "./write.ts";

/** Shorter tables are written whole. */
const LEAST_ROWS = 14;
/** The same of Markdown, whose rows are as a rule written by hand and each a fact of its own. */
const LEAST_MARKDOWN_ROWS = 40;
/** UTF-16 units that a note must save. */
const PROFIT = 80;

/** An elided text. */
export interface Elided {
  /** Kept rows and notes. */
  readonly text: string;
  /** Lines left out. */
  readonly omitted: Omitted;
}

/**
 * Leaves rows out of every table that is long enough.
 *
 * @returns `undefined` when no row can be left out. O(n).
 */
export function elideTables(
  lines: Lines,
  tables: readonly Table[],
  { query, firstLine = 1 }: CompressContext,
): Elided | undefined {
  const sight = sightOf(lines, query);
  const parts: string[] = [];
  let from = 0;
  let count = 0;
  for (const table of tables) {
    const written = elideTable(table, sight, firstLine);
    const isLonger = written.count === 0 &&
      written.parts.join("\n").length >
        linesText(lines, table.from, table.to).length;
    if (isLonger) continue;
    if (table.from > from) parts.push(linesText(lines, from, table.from));
    parts.push(...written.parts);
    count += written.count;
    from = table.to;
  }
  if (count === 0) return undefined;
  if (from < lines.count) parts.push(linesText(lines, from, lines.count));
  return {
    text: parts.join("\n") + (endsWithNewline(lines) ? "\n" : ""),
    omitted: { count, total: lines.count, unit: "lines" },
  };
}

/** Rows and notes of one table. */
interface Written {
  readonly parts: readonly string[];
  /** Lines left out. */
  readonly count: number;
}

function elideTable(
  table: Table,
  sight: Sight,
  firstLine: number,
): Written {
  const split = splitFor(table);
  const writing: Writing | undefined = split === undefined
    ? undefined
    : { table, plans: planColumns(table, false), split };
  const body = firstBodyRow(table);
  const parts = writing === undefined
    ? rawHead(table)
    : [...hintLines(writing), ...headLines(writing)];
  const least = table.layout.name === MARKDOWN
    ? LEAST_MARKDOWN_ROWS
    : LEAST_ROWS;
  const isLong = table.rows - body >= least;
  const selection = isLong ? selectRows(table, sight) : undefined;
  const keep = selection?.keep ?? new Uint8Array(table.rows).fill(1);
  closeSmallGaps(table, keep);
  const names = namesOf(table);
  let count = 0;
  for (let row = body; row < table.rows; row++) {
    if (keep[row]) {
      parts.push(lineOf(table, writing, row));
      continue;
    }
    let to = row + 1;
    while (to < table.rows && !keep[to]) to++;
    const first = table.rowLine[row]!;
    const last = table.rowTo[to - 1]!;
    const failing = failingIn(selection!, row, to);
    parts.push(
      `… ${rangeText(firstLine + first, firstLine + last - 1)} omitted` +
        failing + namesBetween(table, names, [row, to]),
    );
    count += last - first;
    row = to - 1;
  }
  const summary = selection === undefined ? "" : summaryOf(table, selection);
  const omitted = keep.reduce((sum, byte) => sum + 1 - byte, 0);
  if (summary !== "") parts.push(`… the ${omitted} omitted rows: ${summary}`);
  return { parts, count };
}

/** A row that does not follow the layout is written as it was, without a sign that only a restore needs. */
function lineOf(table: Table, writing: Writing | undefined, row: number) {
  return writing === undefined || table.plain[row]
    ? rowSource(table, row)
    : rowText(writing, row);
}

function rawHead(table: Table): string[] {
  return table.hasHeader ? [rowSource(table, 0)] : [];
}

function headLines(writing: Writing): string[] {
  const { table } = writing;
  return table.names === undefined ? rawHead(table) : [headText(writing)];
}

function hintLines({ plans }: Writing): string[] {
  const hints = [
    plans.some(({ type }) => type === "constant") ? HINTS.constant : "",
    plans.some(({ type }) => type === "affix") ? HINTS.affix : "",
  ].filter((hint) => hint !== "");
  return hints.length === 0 ? [] : [`${NOTE}${hints.join("; ")})`];
}

function rangeText(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}

function failingIn({ failing }: Selection, from: number, to: number): string {
  let count = 0;
  for (let row = from; row < to; row++) count += failing[row]!;
  return count === 0 ? "" : ` (${count} failing)`;
}

/** Keeps the rows of gaps that a note would not pay for. */
function closeSmallGaps(table: Table, keep: Uint8Array): void {
  const { lines: { starts }, rowLine, rowTo, rows } = table;
  for (let row = 0; row < rows; row++) {
    if (keep[row]) continue;
    let to = row + 1;
    while (to < rows && !keep[to]) to++;
    const size = starts[rowTo[to - 1]!]! - starts[rowLine[row]!]!;
    if (size < PROFIT) keep.fill(1, row, to);
    row = to - 1;
  }
}
