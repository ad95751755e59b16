/** JSON with the middle of long arrays, wide objects and long strings left out, each with a note in place. @module */
import { cellOf, NOTE } from "./cell.ts";
import type { Grid } from "./column.ts";
import {
  LONE_STRING,
  LONG_STRING,
  MAX_ITEMS,
  MAX_KEYS,
  MIN_ARRAY_CHARS,
  MIN_OBJECT_CHARS,
  STRING_BUDGET,
} from "./defaults.ts";
import { failuresOf } from "./failure.ts";
import { cutString } from "./long_string.ts";
import { termsOf } from "./query.ts";
import type { Tables } from "./reformat.ts";
import { type Sample, type SampleInput, sampleRows } from "./sample.ts";
import { namesOf, summaryOf } from "./summary.ts";
import { lineWriter, openingOf } from "./table.ts";
import {
  childrenOf,
  ESCAPED,
  isContainer,
  keyOf,
  OBJECT,
  rawOf,
  STRING,
  type Tape,
} from "./tape.ts";

/** Columns up to which the rows that stay are surely shorter as a table. */
const MAX_COLUMNS = 30;

/** A text with parts left out. */
export interface Elision {
  /** The rest, with notes. */
  readonly text: string;
  /** Items and entries left out. */
  readonly items: number;
  /** Items and entries of the containers that lost some. */
  readonly ofItems: number;
  /** Characters of strings left out. */
  readonly chars: number;
}

/** Leaves out what repeats; failures stay. Linear. `tables` knows the columns that the tape has. */
export function elide(tape: Tape, tables: Tables, query: string): Elision {
  return new Elider(tape, tables, query).run();
}

class Elider {
  readonly #tape: Tape;
  readonly #tables: Tables;
  readonly #input: SampleInput;
  readonly #stringLimit: number;
  #items = 0;
  #ofItems = 0;
  #chars = 0;

  constructor(tape: Tape, tables: Tables, query: string) {
    this.#tape = tape;
    this.#tables = tables;
    this.#input = { failures: failuresOf(tape), terms: termsOf(query) };
    this.#stringLimit = stringLimitOf(tape);
  }

  run(): Elision {
    const isLines = this.#tape.count[0]! > 1;
    const text = isLines
      ? `// JSON Lines\n${this.#container(0, false)}`
      : this.#value(1, false);
    const [items, ofItems, chars] = [this.#items, this.#ofItems, this.#chars];
    return { text, items, ofItems, chars };
  }

  /** JSON of a node; `inLine`: tables would break the line. */
  #value(node: number, inLine: boolean): string {
    const tape = this.#tape;
    const kind = tape.kind[node]!;
    if (tape.end[node]! - tape.start[node]! <= LONG_STRING) {
      return rawOf(tape, node);
    }
    if (kind === STRING || kind === ESCAPED) return this.#string(node);
    return isContainer(kind)
      ? this.#container(node, inLine)
      : rawOf(tape, node);
  }

  #string(node: number): string {
    const content = rawOf(this.#tape, node).slice(1, -1);
    const { text, omitted } = cutString(content, this.#stringLimit);
    this.#chars += omitted;
    return `"${text}"`;
  }

  #container(node: number, inLine: boolean): string {
    const tape = this.#tape;
    const rows = childrenOf(tape, node);
    const keyed = tape.kind[node] === OBJECT;
    const size = tape.end[node]! - tape.start[node]!;
    const isLong = keyed
      ? rows.length > MAX_KEYS && size > MIN_OBJECT_CHARS
      : rows.length > MAX_ITEMS && size > MIN_ARRAY_CHARS;
    const isChosen = this.#tables.isChosen(node);
    const grid = isChosen || isLong ? this.#tables.gridOf(node) : undefined;
    const asTable = !inLine && grid !== undefined &&
      (isChosen || grid.columns.length <= MAX_COLUMNS);
    const repeats = asTable && grid!.leaves.length + grid!.misfits === 0;
    const sample = isLong && !repeats
      ? sampleRows(tape, rows, { ...this.#input, grid, asTable })
      : undefined;
    const parts = asTable
      ? this.#tableLines(grid!, keyed, sample)
      : this.#members(rows, keyed, inLine, sample);
    if (sample !== undefined) {
      this.#count(rows.length, sample.keep);
      const summary = this.#summary(grid, sample);
      if (summary !== "") parts.push(summary);
    }
    const [open, close] = keyed ? ["{", "}"] : ["[", "]"];
    if (asTable) {
      const lines = parts.map((line) => line + "\n").join("");
      return openingOf(tape, grid!, keyed) + lines + close;
    }
    return node === 0 ? parts.join("\n") : open + parts.join(",") + close;
  }

  #tableLines(
    grid: Grid,
    keyed: boolean,
    sample: Sample | undefined,
  ): string[] {
    const write = (tape: Tape, node: number) => this.#cell(tape, node);
    const hasLines = grid.leaves.length + grid.misfits > 0 || keyed;
    if (!hasLines) return [];
    const lineAt = lineWriter(this.#tape, grid, { keyed, write });
    return withNotes(grid.rows.length, keyed, sample, lineAt);
  }

  #members(
    rows: Int32Array,
    keyed: boolean,
    inLine: boolean,
    sample: Sample | undefined,
  ): string[] {
    return withNotes(rows.length, keyed, sample, (i) => {
      const value = this.#value(rows[i]!, inLine);
      return keyed ? `"${keyOf(this.#tape, rows[i]!)}":${value}` : value;
    });
  }

  #cell(tape: Tape, node: number): string {
    const isShort = tape.end[node]! - tape.start[node]! <= LONG_STRING;
    if (isShort) return cellOf(tape, node);
    const value = this.#value(node, true);
    return value === rawOf(tape, node) ? cellOf(tape, node) : value;
  }

  #count(rows: number, keep: Uint8Array): void {
    const kept = keep.reduce((sum, one) => sum + one, 0);
    if (kept === rows) return;
    this.#items += rows - kept;
    this.#ofItems += rows;
  }

  #summary(grid: Grid | undefined, sample: Sample): string {
    const names = namesOf(grid?.columns ?? []);
    const text = summaryOf(this.#tape, sample, names);
    const omitted = sample.keep.reduce((sum, kept) => sum + 1 - kept, 0);
    return text === "" ? "" : `${NOTE} the ${omitted} omitted: ${text}`;
  }
}

/** Writes the rows that stay, and a note for each run of others. */
function withNotes(
  rows: number,
  keyed: boolean,
  sample: Sample | undefined,
  write: (i: number) => string,
): string[] {
  const parts: string[] = [];
  for (let i = 0; i < rows; i++) {
    if (sample === undefined || sample.keep[i] === 1) {
      parts.push(write(i));
      continue;
    }
    const from = i + 1;
    while (i + 1 < rows && sample.keep[i + 1] === 0) i++;
    const range = from === i + 1 ? ` ${from}` : `s ${from}-${i + 1}`;
    parts.push(`${NOTE} ${keyed ? "key" : "item"}${range} of ${rows} omitted`);
  }
  return parts;
}

/** Characters that each long string may keep: more, when there are few of them. */
function stringLimitOf(tape: Tape): number {
  let long = 0;
  for (let node = 1; node < tape.length; node++) {
    const kind = tape.kind[node]!;
    const isLong = (kind === STRING || kind === ESCAPED) &&
      tape.end[node]! - tape.start[node]! > LONG_STRING;
    if (isLong) long++;
  }
  const share = Math.floor(STRING_BUDGET / Math.max(1, long));
  return Math.min(LONE_STRING, Math.max(LONG_STRING, share));
}
