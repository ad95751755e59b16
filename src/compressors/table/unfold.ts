/** Inverse of the fold. @module */
import { fixedLines } from "./fixed.ts";
import { HINTS, NOTE } from "./fold.ts";
import { frameLines, joinEscaped } from "./frame.ts";
import { type HeadItem, readHead } from "./heading.ts";
import { type Layout, LISTINGS, readLayout } from "./layout.ts";
import { DITTO } from "./plan.ts";
import { recordsIn, splitRecord } from "./records.ts";
import { AS_IT_WAS } from "./write.ts";

const NOTE_FORM = /^… \((\d+) lines of ([^;]+?)((?:; [^;]+)*)\)$/;

/** Restores every table of a text that {@linkcode foldTables} wrote; other text stays. O(n). */
export function unfoldTables(folded: string): string {
  if (!folded.includes(NOTE)) return folded;
  const lines = folded.split("\n");
  const out: string[] = [];
  let newline = "\n";
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const match = line.startsWith(NOTE) ? NOTE_FORM.exec(line) : null;
    const layout = match === null ? undefined : readLayout(match[2]!);
    if (match === null || layout === undefined) {
      out.push(line);
      continue;
    }
    const count = Number(match[1]);
    const body = lines.slice(i + 1, i + 1 + count);
    for (const row of tableLines(layout, body, match[3]!)) out.push(row);
    i += count;
    if (match[3]!.includes(`; ${HINTS.crlf}`)) newline = "\r\n";
  }
  return out.join(newline);
}

function tableLines(
  layout: Layout,
  body: readonly string[],
  hints: string,
): string[] {
  const isCsv = layout.name === "CSV" || layout.name === "TSV";
  const hasPlain = hints.includes(HINTS.plain);
  const hasDitto = hints.includes(HINTS.ditto);
  const hasPlans = hints.includes(HINTS.constant) ||
    hints.includes(HINTS.affix);
  const records = isCsv ? recordsIn(body.join("\n"), layout.split) : body;
  const isPlain = (row: string) => hasPlain && row.startsWith(AS_IT_WAS);
  let items: HeadItem[] | undefined;
  const isListing = LISTINGS.has(layout.name);
  if (hasPlans || isListing) {
    items = readHead(records[0]!, layout.split);
  }
  const rows: (string[] | string)[] = [];
  let above: string[] | undefined;
  records.forEach((record, i) => {
    if (i === 0 && items !== undefined) {
      if (!isListing) rows.push(items.map(({ name }) => name));
      return;
    }
    if (isPlain(record)) {
      rows.push(record.slice(AS_IT_WAS.length));
      above = undefined;
      return;
    }
    const cells = cellsOf(record, layout, items);
    const row = hasDitto ? withRepeated(cells, above) : cells;
    above = i === 0 ? undefined : row;
    rows.push(row);
  });
  return written(layout, rows);
}

function withRepeated(
  row: readonly string[],
  above: readonly string[] | undefined,
): string[] {
  return row.map((cell, j) =>
    cell === DITTO && above !== undefined ? above[j]! : cell
  );
}

function written(
  layout: Layout,
  rows: readonly (readonly string[] | string)[],
): string[] {
  if (layout.name === "CSV" || layout.name === "TSV") {
    const ending = layout.isCrlf ? "\r" : "";
    return rows.map((row) =>
      typeof row === "string" ? row : row.join(layout.split) + ending
    );
  }
  return layout.name === "table" || LISTINGS.has(layout.name)
    ? fixedLines(layout, rows)
    : frameLines(layout, rows);
}

/** The cells of a row, with what the header says for all. */
function cellsOf(
  record: string,
  layout: Layout,
  items: readonly HeadItem[] | undefined,
): string[] {
  const count = items?.filter(({ plan }) => plan.type !== "constant").length ??
    (layout.columns.length || undefined);
  const parts = splitCells(record, layout, count);
  if (items === undefined) return parts;
  let next = 0;
  return items.map(({ plan }) => {
    if (plan.type === "constant") return plan.value;
    const part = parts[next++] ?? "";
    return plan.type === "affix" ? plan.prefix + part + plan.suffix : part;
  });
}

function splitCells(
  record: string,
  { name, split }: Layout,
  count: number | undefined,
): string[] {
  if (name === "CSV" || name === "TSV") return splitRecord(record, split);
  const parts = record.split(split);
  if (name === "markdown table") return joinEscaped(parts);
  if (count === undefined || parts.length <= count) return parts;
  return [
    ...parts.slice(0, count - 1),
    parts.slice(count - 1).join(split),
  ];
}
