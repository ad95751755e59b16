/** Rows without padding, and without what the header says for all of them. @module */
import type { Rewrite } from "../../core/kind.ts";
import {
  codeAt,
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
  type Layout,
  padRow,
  PLAIN,
  rowSource,
  RULE,
  type Table,
  textsOf,
} from "./layout.ts";
import { readRecord } from "./separated.ts";

/** How the rows of one table are written. */
export interface Writing {
  readonly table: Table;
  /** What all cells of a column are: rows do not have it. `undefined` for other columns. */
  readonly constants: readonly (string | undefined)[];
  /** What is between two cells. */
  readonly split: string;
}

/** Tables with bars keep them. */
const BARRED = new Set(["framed", "markdown"]);
/** Rows that make a constant worth a note. */
const LEAST_ROWS = 3;

/** Decides how a table is written; `undefined` when all signs that could separate its cells are in them. O(cells). */
export function writingOf(table: Table): Writing | undefined {
  const rows = bodyOf(table);
  const { names } = table;
  const isNameable = rows.length >= LEAST_ROWS && names !== undefined &&
    !names.some((name) => /[=*]/.test(name));
  const constants = Array.from(
    { length: table.columns },
    (_, j) => isNameable ? constantOf(table, rows, j) : undefined,
  );
  if (!constants.includes(undefined)) constants[0] = undefined;
  const split = table.delimiter || freeSplit(table, constants);
  return split === undefined ? undefined : { table, constants, split };
}

function constantOf(
  table: Table,
  rows: readonly number[],
  j: number,
): string | undefined {
  const { lines: { text }, cells, columns } = table;
  const value = cellText(table, rows[0] ?? 0, j);
  const isConstant = !value.includes("\n") && rows.every((row) => {
    const from = offsetAt(cells, 2 * (row * columns + j));
    const to = offsetAt(cells, 2 * (row * columns + j) + 1);
    return to - from === value.length && text.startsWith(value, from);
  });
  return isConstant ? value : undefined;
}

/** A blank, a bar or a tab: what is in no cell but the last. A blank also needs a text in each cell. */
function freeSplit(
  table: Table,
  constants: Writing["constants"],
): string | undefined {
  const { lines: { codes }, cells, states, columns, form } = table;
  const last = constants.lastIndexOf(undefined);
  const free = new Set(BARRED.has(form) ? "|\t" : " |\t");
  for (const [row, state] of states.entries()) {
    if (state !== CELLS) continue;
    for (let j = 0; j < columns; j++) {
      const from = offsetAt(cells, 2 * (row * columns + j));
      const to = offsetAt(cells, 2 * (row * columns + j) + 1);
      if (row !== table.head && constants[j] !== undefined) continue;
      if (from === to) free.delete(" ");
      if (j === last) continue;
      for (let at = from; at < to; at++) {
        const code = codeAt(codes, at);
        if (code === 32 || code === 124 || code === 9) {
          free.delete(String.fromCharCode(code));
        }
      }
    }
  }
  return [...free][0];
}

/** The lines above the rows: the names of the columns, and what they say for all rows. */
export function headText({ table, constants, split }: Writing): string {
  if (table.names === undefined) return "";
  const names = table.names.map((name, j) => {
    const value = constants[j];
    return value === undefined ? name : `${name}=${literal(value)}`;
  }).join(split);
  if (constants.every((value) => value === undefined)) return names;
  // What a row in another form has in that column is not known.
  const some = table.states.includes(PLAIN) ? " but those in full" : "";
  return `… (name=value holds for all rows${some})\n${names}`;
}

function literal(value: string): string {
  return /^[^\s"*=|,;…]+$/.test(value) ? value : JSON.stringify(value);
}

/** One row of cells. O(row). */
export function rowText(
  { table, constants, split }: Writing,
  row: number,
): string {
  const cells: string[] = [];
  for (const [j, value] of constants.entries()) {
    if (value === undefined) cells.push(cellText(table, row, j));
  }
  return cells.join(split);
}

/** What the inverse knows of a table besides the written rows: how it was laid out, and its header. */
interface Spec extends Omit<Writing, "table"> {
  /** Line of the folded text at which the table starts, and lines of its head. */
  readonly line: number;
  readonly headLines: number;
  readonly isCsv: boolean;
  readonly layout: Layout | undefined;
  /** Lines of each row that is written as it was; 0 for one of cells. */
  readonly kept: Uint32Array;
  /** Header and lines of dashes, by their row. */
  readonly sources: ReadonlyMap<number, string>;
}

/** Writes every table short; `undefined` when none gets shorter. O(n). */
export function foldTables(
  lines: Lines,
  tables: readonly Table[],
): Rewrite | undefined {
  const out: string[] = [];
  const specs: Spec[] = [];
  let from = 0;
  let line = 0;
  for (const table of tables) {
    const folded = foldTable(table);
    if (folded === undefined) continue;
    const before = lines.text.slice(
      from,
      lineStart(lines, offsetAt(table.rowLine, 0)),
    );
    line += newlinesIn(before);
    specs.push({ ...folded.spec, line });
    line += newlinesIn(folded.text);
    out.push(before, folded.text);
    from = lineStart(lines, offsetAt(table.rowLine, table.states.length));
  }
  if (specs.length === 0) return undefined;
  return {
    text: out.join("") + lines.text.slice(from),
    restore: (folded) => unfold(folded, specs),
  };
}

function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}

function foldTable(
  table: Table,
): { text: string; spec: Omit<Spec, "line"> } | undefined {
  const writing = writingOf(table);
  const { lines, rowLine, states, layout, delimiter } = table;
  const isCsv = delimiter !== "";
  if (writing === undefined || (!isCsv && layout === undefined)) {
    return undefined;
  }
  const kept = new Uint32Array(states.length);
  const sources = new Map<number, string>();
  const eol = lineEnding(lines, offsetAt(rowLine, 0));
  const head = headText(writing);
  const headLines = head === "" ? 0 : newlinesIn(head) + 1;
  const out = head === "" ? [] : [head.replaceAll("\n", eol) + eol];
  for (const [row, state] of states.entries()) {
    const line = offsetAt(rowLine, row);
    const next = offsetAt(rowLine, row + 1);
    if (state === RULE || (row === table.head && headLines > 0)) {
      const end = lineStart(lines, next);
      sources.set(row, lines.text.slice(lineStart(lines, line), end));
      continue;
    }
    const isShort = state === CELLS && next === line + 1 &&
      (isCsv || layout?.misfits[row] === 0);
    if (!isShort) kept[row] = next - line;
    const text = isShort ? rowText(writing, row) : rowSource(table, row);
    out.push(text + lineEnding(lines, next - 1));
  }
  const text = out.join("");
  const size = lineStart(lines, offsetAt(rowLine, states.length)) -
    lineStart(lines, offsetAt(rowLine, 0));
  if (text.length >= size) return undefined;
  const { constants, split } = writing;
  const spec = { headLines, constants, split, isCsv, layout, kept, sources };
  return { text, spec };
}

/** `\n`, `\r\n`, or nothing where the text ends. */
export function lineEnding(lines: Lines, line: number): string {
  return lines.text.slice(contentEnd(lines, line), lineStart(lines, line + 1));
}

/** Inverse of {@linkcode foldTables}: all cells are read from the text. O(n). */
function unfold(text: string, specs: readonly Spec[]): string {
  const lines = indexLines(text);
  const out: string[] = [];
  let at = 0;
  const copy = (to: number) => {
    out.push(text.slice(lineStart(lines, at), lineStart(lines, to)));
    at = to;
  };
  for (const spec of specs) {
    copy(spec.line);
    at += spec.headLines;
    for (const [row, count] of spec.kept.entries()) {
      const source = spec.sources.get(row);
      if (source !== undefined) out.push(source);
      else if (count > 0) copy(at + count);
      else {
        out.push(restoredRow(lines, at, spec), lineEnding(lines, at));
        at++;
      }
    }
  }
  copy(lines.count);
  return out.join("");
}

function restoredRow(lines: Lines, line: number, spec: Spec): string {
  const { constants, split, isCsv, layout } = spec;
  const limit = constants.filter((value) => value === undefined).length;
  const cells: number[] = [];
  readRecord({ lines, cells, delimiter: split, limit, isQuoted: isCsv }, line);
  const parts = textsOf(lines, cells);
  let next = 0;
  const all = constants.map((value) => value ?? parts[next++] ?? "");
  return layout === undefined ? all.join(split) : padRow(layout, all);
}
