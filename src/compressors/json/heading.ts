/** The first line of a table read back, and objects made by it. @module */
import { readCell } from "./cell.ts";
import { stringEnd } from "../../text/json/tokens.ts";

/** One column of a table as its first line tells it. */
export type Heading =
  & {
    /** The key as JSON, quotes included. */
    readonly key: string;
  }
  & (
    | { readonly type: "constant"; readonly json: string }
    | {
      readonly type: "members";
      readonly members: readonly Heading[];
      /** Cells `[from, to)`: when all are empty, the member is missing; `undefined` when it never is. */
      readonly optional:
        | { readonly from: number; readonly to: number }
        | undefined;
    }
    | {
      readonly type: "tuple";
      readonly parts: readonly (readonly Heading[])[];
    }
    | { readonly type: "cell"; readonly cell: number }
    | {
      readonly type: "affix";
      readonly prefix: string;
      readonly suffix: string;
      /** Index of the cell that holds the middle. */
      readonly cell: number;
      /** Path of the column that holds the middle instead. */
      readonly source: string | undefined;
    }
  );

/** The columns of a table. */
export interface Headings {
  /** In order. */
  readonly headings: readonly Heading[];
  /** Number of cells in a row. */
  readonly cells: number;
  /** Offset of the newline after them. */
  readonly end: number;
}

/**
 * Reads the names, groups and constants that start at `start`.
 *
 * @throws {SyntaxError} If they do not end with a newline.
 */
export function readHeadings(text: string, start: number): Headings {
  const reader = new HeadingReader(text, start);
  const headings = reader.list();
  const end = reader.at;
  if (text.charCodeAt(end) !== 0x0a) {
    throw new SyntaxError(
      `Cannot read the columns at offset ${end}: end them with a newline`,
    );
  }
  const cells = reader.cells;
  return { headings: linked(headings, headings), cells, end };
}

class HeadingReader {
  readonly #text: string;
  at: number;
  cells = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.at = start;
  }

  /** Columns separated by commas. */
  list(): Heading[] {
    if (this.#is("}")) return [];
    const list = [this.#heading()];
    while (this.#takes(",")) list.push(this.#heading());
    return list;
  }

  #heading(): Heading {
    const key = this.#name();
    if (this.#is("{") || this.#is("?")) {
      const isOptional = this.#takes("?");
      this.at++;
      const from = this.cells;
      const members = this.list();
      this.at++;
      const optional = isOptional ? { from, to: this.cells } : undefined;
      return { key, type: "members", members, optional };
    }
    if (this.#takes("[")) {
      const parts: Heading[][] = [];
      do {
        this.at++;
        parts.push(this.list());
        this.at++;
      } while (this.#takes(","));
      this.at++;
      return { key, type: "tuple", parts };
    }
    if (this.#takes("=")) return this.#value(key);
    return { key, type: "cell", cell: this.cells++ };
  }

  #value(key: string): Heading {
    const start = this.at;
    const prefix = this.#is('"') ? this.#quoted() : "";
    if (this.#takes("*")) {
      const suffix = this.#is('"') ? this.#quoted() : "";
      const cell = this.cells++;
      return { key, type: "affix", prefix, suffix, cell, source: undefined };
    }
    if (this.#is("{") && !this.#isObject()) {
      const end = this.#text.indexOf("}", this.at);
      const source = this.#text.slice(this.at + 1, end);
      this.at = end + 1;
      const suffix = this.#is('"') ? this.#quoted() : "";
      return { key, type: "affix", prefix, suffix, cell: -1, source };
    }
    const { json, end } = readCell(this.#text, start, isHeadingEnd);
    this.at = end;
    return { key, type: "constant", json };
  }

  #isObject(): boolean {
    const next = this.#text[this.at + 1];
    return next === '"' || next === "}";
  }

  #name(): string {
    const start = this.at;
    if (this.#is('"')) {
      this.at = stringEnd(this.#text, start);
      return this.#text.slice(start, this.at);
    }
    while (
      this.at < this.#text.length && !isNameEnd(this.#text.charCodeAt(this.at))
    ) this.at++;
    if (this.#is("{") && this.#text[this.at - 1] === "?") this.at--;
    return `"${this.#text.slice(start, this.at)}"`;
  }

  /** Content of a string literal. */
  #quoted(): string {
    const start = this.at;
    this.at = stringEnd(this.#text, start);
    return this.#text.slice(start + 1, this.at - 1);
  }

  #is(sign: string): boolean {
    return this.#text[this.at] === sign;
  }

  #takes(sign: string): boolean {
    const found = this.#is(sign);
    if (found) this.at++;
    return found;
  }
}

function isHeadingEnd(code: number): boolean {
  return code === 0x2c || code === 0x0a || code === 0x7d || code === 0x5d;
}

function isNameEnd(code: number): boolean {
  return isHeadingEnd(code) || code === 0x3d || code === 0x7b || code === 0x5b;
}

/** Gives columns that are made from another one its cell. */
function linked(
  headings: readonly Heading[],
  all: readonly Heading[],
): Heading[] {
  return headings.map((heading) => {
    if (heading.type === "members") {
      return { ...heading, members: linked(heading.members, all) };
    }
    if (heading.type === "tuple") {
      return { ...heading, parts: heading.parts.map((p) => linked(p, all)) };
    }
    if (heading.type !== "affix" || heading.source === undefined) {
      return heading;
    }
    return { ...heading, cell: cellAt(all, heading.source.split(".")) };
  });
}

function cellAt(headings: readonly Heading[], path: readonly string[]): number {
  const found = headings.find((heading) => heading.key === `"${path[0]}"`);
  if (found?.type === "members") return cellAt(found.members, path.slice(1));
  if (found?.type === "cell") return found.cell;
  throw new SyntaxError(
    `Cannot find the column ${path.join(".")}: name a column with cells`,
  );
}

/** The JSON object of one row; an empty cell is a missing member. */
export function writeObject(
  headings: readonly Heading[],
  cells: readonly string[],
): string {
  let out = "";
  for (const heading of headings) {
    const value = valueOf(heading, cells);
    if (value === "") continue;
    out += out === "" ? "{" : ",";
    out += `${heading.key}:${value}`;
  }
  return out === "" ? "{}" : out + "}";
}

function valueOf(heading: Heading, cells: readonly string[]): string {
  switch (heading.type) {
    case "constant":
      return heading.json;
    case "cell":
      return cells[heading.cell]!;
    case "members": {
      const { members, optional } = heading;
      const isMissing = optional !== undefined &&
        cells.slice(optional.from, optional.to).every((cell) => cell === "");
      return isMissing ? "" : writeObject(members, cells);
    }
    case "tuple":
      return `[${
        heading.parts.map((part) => writeObject(part, cells)).join(",")
      }]`;
    case "affix": {
      const cell = cells[heading.cell]!;
      return cell === ""
        ? ""
        : `"${heading.prefix}${contentOf(cell)}${heading.suffix}"`;
    }
  }
}

/** A cell without its quotes. */
function contentOf(json: string): string {
  return json.charCodeAt(0) === 0x22 ? json.slice(1, -1) : json;
}
