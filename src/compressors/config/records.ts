/** Alike stretches of lines, as the entries of a list: the first in full, the others as one row each. @module */
import { lineAt } from "../../text/lines.ts";
import { hashRange } from "./line_ids.ts";
import { BLANK, ITEM, KEY, OPEN, SECTION } from "./scan_line.ts";
import {
  BETWEEN,
  fillRow,
  ITEM_SLOT,
  KEY_SLOT,
  SECTION_SLOT,
  type Template,
  templateOf,
} from "./slots.ts";
import type { ConfigView } from "./view.ts";

/** Lines of a record, at least and at most. */
const SHORTEST = 2;
const LONGEST = 16;
/** Records, the first included. */
const FEWEST = 3;
/** Lengths of a record that are tried at one line. */
const TRIES = 3;
/** Parts of a row, at most, and UTF-16 units of it. */
const MOST_PARTS = 7;
const LONGEST_ROW = 300;
/** UTF-16 units that a fold must save besides its note, and share of what it replaces that may stay. */
const PROFIT = 30;
const WORTH = 0.75;

/** Rows that stand for lines. */
export interface Records {
  /** Lines of the first record, which stay. */
  readonly lines: number;
  /** Lines after those that the rows replace. */
  readonly replaced: number;
  /** A note, then a row for each further record. */
  readonly written: readonly string[];
}

/** Lines `[from, from + length)` and those that are alike after them. */
interface Stretch {
  readonly from: number;
  readonly length: number;
  /** Records in all. */
  readonly count: number;
}

/** Finds records in one text. */
export class RecordFinder {
  readonly #view: ConfigView;
  readonly #shapes: Int32Array;
  readonly #next: Int32Array;
  /** Per length of a record: no stretch that starts before this line pays. */
  readonly #dead = new Int32Array(LONGEST + 1);

  /** Compares lines by what they are and by their keys. O(n). */
  constructor(view: ConfigView) {
    this.#view = view;
    this.#shapes = shapesOf(view);
    this.#next = nextOf(this.#shapes);
  }

  /** The records that start at line `i` and end before line `to`, if rows pay. Linear in all, over calls with ascending `i`. */
  at(i: number, to: number): Records | undefined {
    const kind = this.#view.kinds[i]!;
    if (kind !== KEY && kind !== OPEN && kind !== SECTION && kind !== ITEM) {
      return undefined;
    }
    let other = this.#next[i]!;
    for (let tries = 0; tries < TRIES && other >= 0; tries++) {
      const length = other - i;
      if (length > LONGEST) return undefined;
      if (length >= SHORTEST && i >= this.#dead[length]!) {
        const found = this.#try({ from: i, length }, to);
        if (found !== undefined) return found;
      }
      other = this.#next[other]!;
    }
    return undefined;
  }

  #try(
    { from, length }: Omit<Stretch, "count">,
    to: number,
  ): Records | undefined {
    const shapes = this.#shapes;
    const { indents, kinds } = this.#view;
    for (let line = from + 1; line < from + length; line++) {
      if (indents[line]! < indents[from]! && kinds[line] !== BLANK) {
        return undefined;
      }
    }
    let same = from;
    while (
      same + length < to && shapes[same] === shapes[same + length]
    ) same++;
    const count = 1 + Math.floor((same - from) / length);
    const found = count >= FEWEST
      ? writeRecords(this.#view, { from, length, count })
      : undefined;
    if (found === undefined) this.#dead[length] = Math.max(from + 1, same);
    return found;
  }
}

/** The rows of a stretch; `undefined` when they would not be exact or not pay. */
function writeRecords(view: ConfigView, stretch: Stretch): Records | undefined {
  const { from, length, count } = stretch;
  const columns: number[] = [];
  for (let line = from; line < from + length; line++) {
    if (varies(view, line, stretch)) columns.push(line - from);
    if (columns.length > MOST_PARTS) return undefined;
  }
  if (columns.length === 0) return undefined;
  const names = columns.map((column) => nameOf(view, from + column));
  const first = linesOf(view, from, length);
  const template = templateOf(first, names, columns);
  if (template === undefined || names.some((name) => name.includes("|"))) {
    return undefined;
  }
  const rows: string[] = [];
  for (let record = 1; record < count; record++) {
    const row = rowOf(view, from + record * length, {
      length,
      names,
      template,
    });
    if (row === undefined) return undefined;
    rows.push(row);
  }
  const said = names.join(BETWEEN);
  const note = `… (${rows.length} more like these ${length} lines, as ${said})`;
  const replaced = rows.length * length;
  const weight = weightOf(view, from + length, from + length + replaced);
  const written = rows.reduce((sum, row) => sum + row.length + 1, 0);
  const pays = written <= WORTH * weight &&
    written + note.length + PROFIT <= weight;
  return pays
    ? { lines: length, replaced, written: [note, ...rows] }
    : undefined;
}

/** What a row is made by. */
interface RowForm {
  readonly length: number;
  readonly names: readonly string[];
  readonly template: Template;
}

function rowOf(
  view: ConfigView,
  from: number,
  { length, names, template }: RowForm,
): string | undefined {
  const record = linesOf(view, from, length);
  const own = templateOf(record, names);
  if (own === undefined) return undefined;
  const row = own.parts.join(BETWEEN);
  const isRow = row.length <= LONGEST_ROW && !row.endsWith("\r") &&
    fillRow(template, row) === record.join("\n");
  return isRow ? row : undefined;
}

function linesOf({ lines }: ConfigView, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, n) => lineAt(lines, from + n));
}

/** Whether a line is not the same in all records. */
function varies(view: ConfigView, line: number, stretch: Stretch): boolean {
  const { text, starts } = view.lines;
  const first = lineAt(view.lines, line);
  for (let record = 1; record < stretch.count; record++) {
    const other = line + record * stretch.length;
    const start = starts[other]!;
    if (starts[other + 1]! - 1 - start !== first.length) return true;
    if (!text.startsWith(first, start)) return true;
  }
  return false;
}

/** The word for a line in the note: its key with the sign, or what differs in lines without one. */
function nameOf(view: ConfigView, line: number): string {
  const { kinds, keyAt, valueAt, lines } = view;
  if (kinds[line] === OPEN) return KEY_SLOT;
  if (kinds[line] === SECTION) return SECTION_SLOT;
  if (kinds[line] === ITEM) return ITEM_SLOT;
  return lines.text.slice(keyAt[line]!, valueAt[line]!).trimEnd();
}

/** UTF-16 units of lines, the blanks before them as one: they are one token. */
export function weightOf(view: ConfigView, from: number, to: number): number {
  const { starts } = view.lines;
  let weight = starts[to]! - starts[from]!;
  for (let line = from; line < to; line++) {
    weight -= Math.max(0, view.indents[line]! - 1);
  }
  return weight;
}

/** Equal for lines that can stand at the same place of a record. */
function shapesOf(view: ConfigView): Int32Array {
  const { kinds, dashes, indents, keyAt, keyEnd, lines } = view;
  const shapes = new Int32Array(kinds.length);
  for (let line = 0; line < kinds.length; line++) {
    const kind = kinds[line]!;
    const place = Math.imul(
      (indents[line]! * 16 + kind) * 2 + dashes[line]!,
      0x9e3779b1 | 0,
    );
    const from = kind === KEY ? keyAt[line]! : lines.starts[line]!;
    const to = kind === KEY
      ? keyEnd[line]!
      : kind === OPEN || kind === ITEM || isNamedSection(view, line)
      ? from
      : lines.starts[line + 1]! - 1;
    shapes[line] = place ^ hashRange(lines.codes, from, to);
  }
  return shapes;
}

/** `[name]`, not `[[name]]`. */
function isNamedSection({ kinds, keyAt, lines }: ConfigView, line: number) {
  return kinds[line] === SECTION && lines.codes[keyAt[line]! + 1] !== 91;
}

/** Per line the next one of the same shape, -1 for none. */
function nextOf(shapes: Int32Array): Int32Array {
  const next = new Int32Array(shapes.length);
  const latest = new Map<number, number>();
  for (let i = shapes.length - 1; i >= 0; i--) {
    next[i] = latest.get(shapes[i]!) ?? -1;
    latest.set(shapes[i]!, i);
  }
  return next;
}
