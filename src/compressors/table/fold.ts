/** Rows without padding. @module */
import type { Rewrite } from "../../core/kind.ts";
import {
  indexLines,
  type Lines,
  lineStart,
  offsetAt,
} from "../../text/lines.ts";
import {
  bodyOf,
  CELLS,
  cellText,
  contentEnd,
  contentOf,
  isListing,
  layoutOf,
  PLAIN,
  printRow,
  rowSource,
  type Shape,
  type Table,
} from "./layout.ts";

/** How the rows of one table are written. */
export interface Writing {
  readonly table: Table;
  /** What is between two cells. */
  readonly split: string;
}

/** Tables with bars keep them. */
const BARRED = new Set(["framed", "markdown"]);
/** Share of the tokens that a folded table may have, for a form that has to be understood. */
const WORTH = 0.9;

/** How a table is written; `undefined` when all signs that could separate its cells are in them. O(cells). */
export function writingOf(table: Table): Writing | undefined {
  const split = table.delimiter || freeSplit(table);
  return split === undefined ? undefined : { table, split };
}

/** A blank or a bar: what is in no cell but the last. A blank also needs a text in each cell, and rows of cells alone. */
function freeSplit(table: Table): string | undefined {
  const { lines, states, columns, form, layout } = table;
  const after = offsetAt(table.rowLine, states.length);
  const hasOthers = states.includes(PLAIN) ||
    layout !== undefined && layout.fitting < bodyOf(table).length ||
    contentEnd(lines, after) > lineStart(lines, after);
  const rows = table.head < 0 ? bodyOf(table) : [table.head, ...bodyOf(table)];
  let mayBlank = !BARRED.has(form) && (isListing(table) || !hasOthers);
  let mayBar = true;
  for (const row of rows) {
    for (let j = 0; j < columns; j++) {
      const cell = cellText(table, row, j);
      mayBlank &&= cell !== "";
      if (j === columns - 1 && row !== table.head) continue;
      mayBlank &&= !cell.includes(" ");
      mayBar &&= !cell.includes("|");
    }
  }
  return mayBlank ? " " : mayBar ? "|" : undefined;
}

/** One row of cells, but for columns that a note gives. O(row). */
export function rowText(
  { table, split }: Writing,
  row: number,
  values?: ReadonlyMap<number, string>,
): string {
  const cells: string[] = [];
  for (let j = 0; j < table.columns; j++) {
    if (!values?.has(j)) cells.push(cellText(table, row, j));
  }
  return cells.join(split);
}

/** How the rows of one folded table were printed. */
interface Fold {
  readonly shape: Shape;
  /** What is between cells. */
  readonly split: string;
  /** Of a list, by column, what all rows have in it. */
  readonly values: ReadonlyMap<number, string> | undefined;
}

const NOTE =
  /^… \(rows without padding(, cells by \|)?, columns at ([\dr ]+)(?:, least width (\d+))?(?:; same in all rows: (.*))?\)$/;

/** The line above a folded table. */
function noteText({ shape, split, values }: Fold): string {
  const places = shape.edges.map(({ place, isRight }) =>
    `${place}${isRight ? "r" : ""}`
  );
  const bars = split === "|" ? ", cells by |" : "";
  const width = shape.end > 0 ? `, least width ${shape.end}` : "";
  const same = values === undefined
    ? ""
    : `; same in all rows: ${JSON.stringify([...values]).slice(1, -1)}`;
  return `… (rows without padding${bars}, columns at ${
    places.join(" ")
  }${width}${same})`;
}

/** Inverse of {@linkcode noteText}. */
function foldOf(line: string): Fold | undefined {
  const [found, isBarred, places = "", end = "0", same] = NOTE.exec(line) ?? [];
  if (found === undefined) return undefined;
  const edges = places.split(" ").map((place) => ({
    place: Number.parseInt(place),
    isRight: place.endsWith("r"),
  }));
  const values = same === undefined ? undefined : new Map<number, string>(
    JSON.parse(`[${same}]`),
  );
  const split = isBarred ? "|" : " ";
  return { shape: { edges, end: Number(end) }, split, values };
}

/** What all rows have in a column, but for the last. O(cells). */
function constantsOf(table: Table): Map<number, string> {
  const rows = bodyOf(table);
  const values = new Map<number, string>();
  for (let j = 0; j < table.columns - 1; j++) {
    const value = cellText(table, rows[0] ?? 0, j);
    const isSame = rows.every((row) => cellText(table, row, j) === value);
    if (isSame) values.set(j, value);
  }
  return values;
}

/** A table without padding. */
function foldTable(writing: Writing): string {
  const { table, split } = writing;
  const { lines, rowLine, states, head } = table;
  const layout = table.layout ?? layoutOf(table, head);
  const values = isListing(table) ? constantsOf(table) : undefined;
  const isPadded = bodyOf(table).some((row) =>
    rowSource(table, row).endsWith(" ")
  );
  const shape = { ...layout, end: isPadded ? layout.end : 0 };
  const note = noteText({ shape, split, values });
  const out = [note, lineEnding(lines, offsetAt(rowLine, 0))];
  for (const [row, state] of states.entries()) {
    const next = offsetAt(rowLine, row + 1);
    const isShort = row !== head && state === CELLS &&
      layout.misfits[row] !== 1;
    const text = isShort
      ? rowText(writing, row, values)
      : rowSource(table, row);
    out.push(text, lineEnding(lines, next - 1));
  }
  return out.join("");
}

/** Writes each padded table without padding, and a note above it. O(n). */
export function foldTables(
  lines: Lines,
  tables: readonly Table[],
  countTokens: (text: string) => number,
): Rewrite | undefined {
  const { text } = lines;
  if (text.startsWith("… (") || text.includes("\n… (")) return undefined;
  const out: string[] = [];
  let from = 0;
  for (const table of tables) {
    const [first = 0] = table.rowLine;
    const start = lineStart(lines, first);
    const end = lineStart(lines, offsetAt(table.rowLine, table.states.length));
    const writing = writingOf(table);
    if (!writing || !(isListing(table) || table.layout)) continue;
    const folded = foldTable(writing);
    const source = text.slice(start, end);
    if (countTokens(folded) > WORTH * countTokens(source)) continue;
    out.push(text.slice(from, start), folded);
    from = end;
  }
  const folded = out.join("") + text.slice(from);
  return from > 0 && unfoldTables(folded) === text
    ? { text: folded, restore: unfoldTables }
    : undefined;
}

/** The text of which all folded tables are written as they were. O(n). */
export function unfoldTables(text: string): string {
  const lines = indexLines(text);
  const out: string[] = [];
  for (let line = 0; line < lines.count;) {
    const fold = foldOf(contentOf(lines, line));
    if (fold) line = unfoldRows(lines, line + 1, { fold, out });
    else out.push(text.slice(lineStart(lines, line), lineStart(lines, ++line)));
  }
  return out.join("");
}

/** Writes the rows from `line` up to a blank line; returns that. */
function unfoldRows(
  lines: Lines,
  line: number,
  { fold, out }: { readonly fold: Fold; readonly out: string[] },
): number {
  const { shape, split, values } = fold;
  const size = shape.edges.length - (values?.size ?? 0);
  let at = line;
  for (; at < lines.count && contentOf(lines, at) !== ""; at++) {
    const source = contentOf(lines, at);
    const cells = source.split(split);
    // The last cell may hold what is between the others.
    if (cells.length > size) {
      cells.push(cells.splice(size - 1).join(split));
    }
    // What is written short has no padding.
    const isRow = (at > line || values) && cells.length === size &&
      cells.every((cell) => cell === cell.trim()) &&
      !(split === " " && cells.includes(""));
    let next = 0;
    const row = shape.edges.map((_, j) =>
      values?.get(j) ?? cells[next++] ?? ""
    );
    out.push(isRow ? printRow(shape, row) : source, lineEnding(lines, at));
  }
  return at;
}

/** `\n`, `\r\n`, or nothing where the text ends. */
export function lineEnding(lines: Lines, line: number): string {
  return lines.text.slice(contentEnd(lines, line), lineStart(lines, line + 1));
}
