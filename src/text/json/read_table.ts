/** Reads a table of similar values back into JSON. @module */
import type { Affix } from "./column.ts";
import { containerEnd } from "./scan.ts";
import { MISFIT } from "./table.ts";
import { isDigit } from "../words.ts";
import { stringEnd } from "./tokens.ts";

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const SOURCE = /\{([\w.]+)\}/y;

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
