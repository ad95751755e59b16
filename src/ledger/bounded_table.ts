/** Tables whose names clients choose, bounded. @module */

import { cutText } from "../bytes/cut_text.ts";

/** Distinct names counted per table; a client chooses model names, and a table must not grow with them. */
const MAX_NAMES = 200;
/** Stands for every name beyond the bound. */
export const OTHER = "(other)";

/** Stands for what has no name. */
export const UNKNOWN = "unknown";

/** UTF-16 units of a name that are kept. */
const MAX_NAME_CHARS = 200;

/** The name under which `name` is counted in `table`. */
export function bounded(
  table: ReadonlyMap<string, unknown>,
  name: string,
): string {
  // Its names are short ones.
  if (table.has(name)) return name;
  const row = shortName(name);
  return table.has(row) || table.size < MAX_NAMES ? row : OTHER;
}

/** A name as it is kept: cut, and without what cannot be printed or is half a character. */
export function shortName(name: string): string {
  if (name.length <= MAX_NAME_CHARS && ASCII.test(name)) return name;
  return printable(cutText(name, MAX_NAME_CHARS));
}

/** Printable ASCII. */
const ASCII = /^[ -~]*$/;
/** Control characters, those that turn the direction of writing, line separators, halves of characters. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The text with `\ufffd` in place of each character that cannot be printed. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}

/** Adds to a named number. */
export function addTo(
  table: Map<string, number>,
  name: string,
  count = 1,
): void {
  table.set(name, (table.get(name) ?? 0) + count);
}

/** Counts a name in a bounded table. */
export function count(table: Map<string, number>, name: string): void {
  addTo(table, bounded(table, name));
}

/** Rows by name: at most 200, the rest in one; what has no name is `unknown`. */
export class Rows<Row> {
  readonly #rows = new Map<string, Row>();
  readonly #make: () => Row;

  /** @param make Makes the row of a new name. */
  constructor(make: () => Row) {
    this.#make = make;
  }

  /** The row of a name, to be changed. */
  of(name: string): Row {
    const known = bounded(this.#rows, name || UNKNOWN);
    const row = this.#rows.get(known) ?? this.#make();
    this.#rows.set(known, row);
    return row;
  }

  /** All rows. */
  get all(): readonly Row[] {
    return [...this.#rows.values()];
  }

  /** What is said of each row, in the order in which names came. */
  report<Said>(say: (row: Row) => Said): Readonly<Record<string, Said>> {
    return Object.fromEntries(
      [...this.#rows].map(([name, row]) => [name, say(row)]),
    );
  }
}
