/** Similar values as a table, one line of names and what all have in common, then one line for each row. @module */
import { STRING, type Tape } from "./tape.ts";
import { type Column, middleOf } from "./column.ts";
import type { Grid } from "./grid.ts";

/** Starts a row that does not fit the columns; the value follows as JSON. */
export const MISFIT = "item ";
/** What a table must save to be used, as a share and in characters. */
const MAX_SHARE = 0.9;
const MIN_SAVED = 16;
/** Rows that tell what a table saves. */
const MAX_LOOKED = 40;
/** Broader than JSON's numbers: a string that anyone would read as a number gets quotes. */
const NUMBER_LIKE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NOT_BARE = /^(?:["[{…\s]|item |(?:true|false|null)$)|[,]|\s$/;
const BARE_NAME =
  /^[^\s"\\,:=*{}[\]…](?:[^"\\,:=*{}[\]\n]*[^\s"\\,:=*{}[\]])?$/;
const HEADING_SIGNS = /[,=*{}[\]"\\]/;
const BARE_KEY = /^[^\s"\\…](?:[^"\\]*[^\s"\\])?$/;

/** Text of a node as a cell; an empty cell is a missing member. */
export function cellOf(tape: Tape, node: number): string {
  if (node === 0) return "";
  if (tape.kind(node) !== STRING) return tape.raw(node);
  const content = tape.content(node);
  return isBare(content) ? content : `"${content}"`;
}

/** Whether the content of a string without escapes needs no quotes as a cell. */
function isBare(content: string): boolean {
  const first = content.charCodeAt(0) | 0x20;
  const isWord = first >= 0x61 && first <= 0x7a;
  return content !== "" && !NOT_BARE.test(content) &&
    (isWord || !NUMBER_LIKE.test(content));
}

/** The opening bracket, the number of rows and the names; newline included. */
export function openingOf(tape: Tape, grid: Grid, isKeyed: boolean): string {
  const names = groupOf(tape, grid.root);
  return `${isKeyed ? "{" : "["}${grid.rows.length} rows: ${
    grid.root.isList ? names : names.slice(1, -1)
  }\n`;
}

function groupOf(tape: Tape, { members = [], isList }: Column): string {
  const names = members.map((member) => headingOf(tape, member)).join(",");
  return isList ? `[${names}]` : `{${names}}`;
}

function headingOf(tape: Tape, column: Column): string {
  const { constant, members, affix, note } = column;
  const name = tape.keyStart(column.cells.find((cell) => cell !== 0) ?? 0) < 0
    ? ""
    : nameOf(column.key);
  if (note !== undefined) return `${name}=${note}`;
  if (constant !== undefined) return `${name}=${constantOf(tape, constant)}`;
  if (members !== undefined) return name + groupOf(tape, column);
  if (affix === undefined) return name === "" ? "*" : name;
  const middle = affix.source === undefined ? "*" : `{${affix.source}}`;
  return `${name}=${quoted(affix.prefix)}${middle}${quoted(affix.suffix)}`;
}

function nameOf(key: string): string {
  return BARE_NAME.test(key) ? key : `"${key}"`;
}

function constantOf(tape: Tape, node: number): string {
  const cell = cellOf(tape, node);
  if (tape.kind(node) !== STRING || cell.startsWith('"')) return cell;
  return HEADING_SIGNS.test(cell) ? `"${cell}"` : cell;
}

function quoted(part: string): string {
  return part === "" ? "" : `"${part}"`;
}

/** A key at the start of a row. */
export function rowKeyOf(tape: Tape, member: number): string {
  const key = tape.key(member);
  return BARE_KEY.test(key) && !key.includes(": ") ? key : `"${key}"`;
}

/** What the rows of a table are written from. */
export interface Rows {
  readonly tape: Tape;
  readonly grid: Grid;
  /** Writes one value into a cell; whole by default. */
  readonly write?: (node: number) => string;
}

/** Writes row `i`, without its newline. */
export function rowOf(
  { tape, grid, write = (node) => cellOf(tape, node) }: Rows,
  i: number,
): string {
  const row = grid.rows[i] ?? 0;
  const key = tape.keyStart(row) < 0 ? "" : `${rowKeyOf(tape, row)}: `;
  if (grid.misfits.has(i)) {
    const text = write(row);
    return key + MISFIT + (text === cellOf(tape, row) ? tape.raw(row) : text);
  }
  let line = key;
  for (const [at, { cells, affix }] of grid.leaves.entries()) {
    if (at > 0) line += ",";
    const node = cells[i] ?? 0;
    line += affix === undefined || node === 0
      ? write(node)
      : middleOf(tape, node, affix);
  }
  return line;
}

/** A table without a line left out. */
export function tableOf(tape: Tape, grid: Grid): string {
  const isKeyed = tape.keyStart(grid.rows[0] ?? 0) >= 0;
  let out = openingOf(tape, grid, isKeyed);
  if (hasRows(grid, isKeyed)) {
    for (let i = 0; i < grid.rows.length; i++) {
      out += rowOf({ tape, grid }, i) + "\n";
    }
  }
  return out + (isKeyed ? "}" : "]");
}

/** Whether the first line does not say all. */
export function hasRows(grid: Grid, isKeyed: boolean): boolean {
  return isKeyed || grid.leaves.length + grid.misfits.size > 0;
}

/** Whether a table is clearly shorter than the rows as they are, by the first of them. O(rows looked at). */
export function isShorter(tape: Tape, grid: Grid): boolean {
  const { rows } = grid;
  const isKeyed = tape.keyStart(rows[0] ?? 0) >= 0;
  const looked = Math.min(rows.length, MAX_LOOKED);
  const share = looked / rows.length;
  const opening = openingOf(tape, grid, isKeyed).length + 1;
  let [plain, table] = [2, opening * share];
  for (let i = 0; i < looked; i++) {
    const row = rows[i] ?? 0;
    const lead = isKeyed ? tape.keyStart(row) : tape.start(row);
    plain += tape.end(row) - lead + 1;
    table += rowOf({ tape, grid }, i).length + 1;
  }
  return table <= plain * MAX_SHARE && table + MIN_SAVED * share <= plain;
}
