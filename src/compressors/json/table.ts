/** Similar objects as a table: one line of names and constants, then one line for each row. @module */
import { middleOf } from "./affix.ts";
import { cellOf, constantOf, MISFIT, nameOf } from "./cell.ts";
import type { Column, Grid } from "./column.ts";
import { keyOf, rawOf, type Tape } from "./tape.ts";

/** How the rows of a table are written. */
export interface RowStyle {
  /** The rows are members of an object: each starts with its key. */
  readonly keyed: boolean;
  /** Writes one value into a cell. */
  readonly write: (tape: Tape, node: number) => string;
  /** Whether a value is left out; never by default. */
  readonly isOmitted?: (node: number) => boolean;
}

const BARE_KEY = /^[^\s"\\…](?:[^"\\]*[^\s"\\])?$/;

/** A table without a line left out; `keyed`: the rows are members of an object. */
export function tableOf(tape: Tape, grid: Grid, keyed: boolean): string {
  const { rows, leaves, misfits } = grid;
  const lineAt = lineWriter(tape, grid, { keyed, write: cellOf });
  let out = openingOf(tape, grid, keyed);
  if (leaves.length > 0 || misfits > 0 || keyed) {
    for (let i = 0; i < rows.length; i++) {
      out += lineAt(i);
      out += "\n";
    }
  }
  return out + (keyed ? "}" : "]");
}

/** The opening bracket, the number of rows and the names; newline included. */
export function openingOf(tape: Tape, grid: Grid, keyed: boolean): string {
  return `${keyed ? "{" : "["}${grid.rows.length} rows: ${
    namesOf(tape, grid.columns)
  }\n`;
}

function namesOf(tape: Tape, columns: readonly Column[]): string {
  return columns.map((column) => headingOf(tape, column)).join(",");
}

function headingOf(tape: Tape, column: Column): string {
  const name = nameOf(column.key);
  if (column.constant !== undefined) {
    return `${name}=${constantOf(tape, column.constant)}`;
  }
  if (column.members) {
    const mark = column.optional ? "?" : "";
    return `${name}${mark}{${namesOf(tape, column.members)}}`;
  }
  if (column.tuple) {
    const parts = column.tuple.map((part) => `{${namesOf(tape, part)}}`);
    return `${name}[${parts.join(",")}]`;
  }
  if (column.affix) {
    const { prefix, suffix, source } = column.affix;
    const middle = source === undefined ? "*" : `{${source}}`;
    return `${name}=${quoted(prefix)}${middle}${quoted(suffix)}`;
  }
  return name;
}

function quoted(part: string): string {
  return part === "" ? "" : `"${part}"`;
}

/** Makes the function that writes row `i`, without its newline. */
export function lineWriter(
  tape: Tape,
  grid: Grid,
  { keyed, write, isOmitted }: RowStyle,
): (i: number) => string {
  const { rows, misfit, leaves } = grid;
  return (i) => {
    const row = rows[i]!;
    const key = keyed ? `${entryKeyOf(tape, row)}: ` : "";
    if (misfit[i] === 1) return key + MISFIT + jsonOf(tape, row, write);
    let line = key;
    for (let c = 0; c < leaves.length; c++) {
      const { cells, affix } = leaves[c]!;
      if (c > 0) line += ",";
      const isWhole = affix === undefined || cells[i] === 0 ||
        isOmitted?.(cells[i]!);
      line += isWhole
        ? write(tape, cells[i]!)
        : middleOf(tape, cells[i]!, affix);
    }
    return line;
  };
}

/** A cell as JSON: the quotes that a bare cell leaves out are put back. */
function jsonOf(tape: Tape, node: number, write: RowStyle["write"]): string {
  const cell = write(tape, node);
  return cell === cellOf(tape, node) ? rawOf(tape, node) : cell;
}

/** A key at the start of a row. */
function entryKeyOf(tape: Tape, member: number): string {
  const key = keyOf(tape, member);
  return BARE_KEY.test(key) && !key.includes(": ") ? key : `"${key}"`;
}
