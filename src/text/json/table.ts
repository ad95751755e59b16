/** Similar values as a table, one line of names and what all have in common, then one line for each row; and back. @module */
import { containerEnd } from "./scan.ts";
import { STRING, type Tape } from "./tape.ts";
import { isDigit, stringEnd } from "./tokens.ts";
import { type Affix, type Column, type Grid, middleOf } from "./grid.ts";

/** Starts a row that does not fit the columns; the value follows as JSON. */
const MISFIT = "item ";
/** What a table must save to be used, as a share and in characters. */
const MAX_SHARE = 0.9;
const MIN_SAVED = 16;
/** Rows that tell what a table saves. */
const MAX_LOOKED = 40;
/** Broader than JSON's numbers: a string that anyone would read as a number gets quotes. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const NUMBER_LIKE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NOT_BARE = /^(?:["[{…\s]|item |(?:true|false|null)$)|[,]|\s$/;
const BARE_NAME =
  /^[^\s"\\,:=*{}[\]…](?:[^"\\,:=*{}[\]\n]*[^\s"\\,:=*{}[\]])?$/;
const SOURCE = /\{([\w.]+)\}/y;
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

/** One column as the first line of a table tells it. */
interface Heading {
  /** The key as JSON, quotes included; empty for a place of a list. */
  readonly key: string;
  /** What all rows hold. */
  readonly constant?: string;
  readonly members?: readonly Heading[];
  readonly isList?: boolean;
  readonly affix?: Affix;
  /** Index of its cell, or of its first one. */
  cell: number;
}

/**
 * Reads the table whose names start at `at`.
 *
 * @returns JSON of each row, with its key, and the offset of the closing bracket.
 * @throws {SyntaxError} If it is no table. O(its length).
 */
export function readTable(
  text: string,
  at: number,
  { rows, isKeyed }: { readonly rows: number; readonly isKeyed: boolean },
): { readonly values: readonly string[]; readonly end: number } {
  const reader = new TableReader(text, at);
  const values = reader.values(rows, isKeyed);
  return { values, end: reader.at };
}

class TableReader {
  readonly #text: string;
  at: number;
  /** Columns with cells. */
  readonly #leaves: Heading[] = [];

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  values(rows: number, isKeyed: boolean): string[] {
    const isList = this.#takes("[");
    const members = this.#headings();
    if (isList) this.#take("]");
    const root = { key: "", members, isList, cell: 0 };
    link(root, members);
    this.#take("\n");
    const isBlank = this.#leaves.length === 0 && !isKeyed && this.#is("]");
    return Array.from(
      { length: rows },
      () => isBlank ? valueOf(root, []) : this.#row(root, isKeyed),
    );
  }

  #row(root: Heading, isKeyed: boolean): string {
    let key = "";
    if (isKeyed) {
      key = this.#is('"') ? this.#string() : `"${this.#until(":", ": ")}"`;
      this.#take(": ");
      key += ":";
    }
    const isMisfit = this.#takes(MISFIT);
    const value = isMisfit ? this.#cell("\n") : valueOf(
      root,
      this.#leaves.map(({ affix }, i) => {
        if (i > 0) this.#take(",");
        return affix === undefined ? this.#cell(",\n") : this.#until(",\n");
      }),
    );
    this.#take("\n");
    return key + value;
  }

  #headings(): Heading[] {
    const list: Heading[] = [];
    if (this.#is("}") || this.#is("]")) return list;
    do list.push(this.#heading()); while (this.#takes(","));
    return list;
  }

  #heading(): Heading {
    const name = this.#is('"') ? this.#string() : this.#until(",\n={[}]*");
    const key = name === "" || name.startsWith('"') ? name : `"${name}"`;
    const cell = this.#leaves.length;
    if (this.#takes("*")) return this.#leaf({ key, cell });
    const isList = this.#is("[");
    if (this.#takes("[") || this.#takes("{")) {
      const members = this.#headings();
      this.#take(isList ? "]" : "}");
      return { key, members, isList, cell };
    }
    if (!this.#takes("=")) return this.#leaf({ key, cell });
    const start = this.at;
    const prefix = this.#quoted();
    if (this.#takes("*")) {
      return this.#leaf({
        key,
        affix: { prefix, suffix: this.#quoted() },
        cell,
      });
    }
    SOURCE.lastIndex = this.at;
    const source = SOURCE.exec(this.#text)?.[1];
    if (source !== undefined) {
      this.at = SOURCE.lastIndex;
      return { key, affix: { prefix, suffix: this.#quoted(), source }, cell };
    }
    this.at = start;
    return { key, constant: this.#cell(",\n}]"), cell };
  }

  #leaf(heading: Heading): Heading {
    this.#leaves.push(heading);
    return heading;
  }

  /** Content of a string, if one is here. */
  #quoted(): string {
    return this.#is('"') ? this.#string().slice(1, -1) : "";
  }

  /** A cell as JSON; a bare one ends before one of `ends`. */
  #cell(ends: string): string {
    const start = this.at;
    if (this.#is('"')) return this.#string();
    if (this.#is("{") || this.#is("[")) {
      this.at = containerEnd(this.#text, start);
      return this.#text.slice(start, this.at);
    }
    const bare = this.#until(ends);
    if (/^(?:true|false|null)?$/.test(bare)) return bare;
    const first = bare.charCodeAt(0);
    const isNumber = (isDigit(first) || first === 0x2d) &&
      JSON_NUMBER.test(bare);
    return isNumber ? bare : `"${bare}"`;
  }

  /** What comes before the next of some signs, and before `whole` there. */
  #until(signs: string, whole = ""): string {
    const text = this.#text;
    const start = this.at;
    while (
      this.at < text.length &&
      !(signs.includes(text.charAt(this.at)) && text.startsWith(whole, this.at))
    ) this.at++;
    return text.slice(start, this.at);
  }

  #string(): string {
    const start = this.at;
    this.at = stringEnd(this.#text, start);
    return this.#text.slice(start, this.at);
  }

  #is(sign: string): boolean {
    return this.#text.startsWith(sign, this.at);
  }

  #takes(sign: string): boolean {
    const found = this.#is(sign);
    if (found) this.at += sign.length;
    return found;
  }

  #take(sign: string): void {
    if (this.#takes(sign)) return;
    throw new SyntaxError(
      `Cannot read the table at offset ${this.at}: expected ${
        JSON.stringify(sign)
      }`,
    );
  }
}

/** Gives columns that are made from another one its cell. */
function link(root: Heading, headings: readonly Heading[]): void {
  for (const heading of headings) {
    const { affix, members } = heading;
    if (members !== undefined) link(root, members);
    if (affix?.source !== undefined) {
      heading.cell = cellAt(root, affix.source.split("."));
    }
  }
}

function cellAt(heading: Heading, path: readonly string[]): number {
  const [key, ...rest] = path;
  if (key === undefined) return heading.cell;
  const next = heading.members?.find((one) => one.key === `"${key}"`);
  if (next !== undefined) return cellAt(next, rest);
  throw new SyntaxError(`Cannot find the column ${key}: it must have cells`);
}

/** JSON of a row; empty for a member that is missing. */
function valueOf(heading: Heading, cells: readonly string[]): string {
  const { constant, members, affix, isList = false } = heading;
  if (constant !== undefined) return constant;
  if (members === undefined) {
    const text = cells[heading.cell] ?? "";
    if (affix === undefined || text === "") return text;
    const middle = text.startsWith('"') ? text.slice(1, -1) : text;
    return `"${affix.prefix}${middle}${affix.suffix}"`;
  }
  const parts: string[] = [];
  for (const member of members) {
    const value = valueOf(member, cells);
    if (value !== "") parts.push(isList ? value : `${member.key}:${value}`);
  }
  return isList ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}
