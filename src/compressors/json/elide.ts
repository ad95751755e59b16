/** JSON with the middle of long lists, deep levels and long strings left out, each with a note in place. @module */
import type { Elided } from "../../core/kind.ts";
import { chooseUnits, gapsIn } from "../../engine/choose.ts";
import { lineNote } from "../../engine/note.ts";
import { priceOf, TOKEN } from "../../engine/price.ts";
import { OBJECT, STRING, type Tape } from "../../text/json/tape.ts";
import { type JsonView, linesOf, startsWithBracket, viewOf } from "./fold.ts";
import { type Column, leavesOf } from "../../text/json/column.ts";
import type { Grid } from "../../text/json/grid.ts";
import {
  cutString,
  LONG_STRING,
  namesOf,
  opaqueIn,
  summaryOf,
} from "./left_out.ts";
import {
  type Matter,
  matterIn,
  type Sample,
  sampleOf,
  within,
} from "./matter.ts";
import {
  cellOf,
  hasRows,
  isShorter,
  openingOf,
  rowOf,
} from "../../text/json/table.ts";

/** Characters of a text, and of a list, from which parts may be left out. */
const MIN_CHARS = 600;
/** Rows, and members, of which all stay. */
const MAX_ROWS = 15;
const MAX_MEMBERS = 30;
const MIN_OBJECT_CHARS = 1_500;
/** Columns up to which the rows that stay are surely shorter as a table. */
const MAX_COLUMNS = 30;
/** Rows from which some are brief, characters of them, and rows that never are. */
const MIN_BRIEF_ROWS = 4;
const MIN_BRIEF_CHARS = 1_500;
const WHOLE_ROWS = 2;
/** Characters of a container in a brief row that is not worth a note. */
const BRIEF_CHARS = 100;
/** Share of the price of a text that is little enough. */
const ENOUGH = 0.5;
const SURELY_ENOUGH = 0.3;
/** Characters that stay of a long string at most, and of one that is the whole text but for that. */
const LONE_STRING = 2_000;
const STRING_BUDGET = 6_000;
/** JSON in strings of JSON: levels. */
const MAX_LEVEL = 2;
/** Rows left out that are worth a summary. */
const MIN_SUMMED = 8;
/** Characters of a text from which rows may be brief. */
const MIN_BRIEF_TEXT = 4_000;

/** How much stays, from most to least: brief rows show nothing large that is nested in them. */
const DETAILS = ["full", "brief"] as const;

/** What is asked, and how lines of text are shortened. */
export interface ElideInput {
  readonly query: string;
  /** `undefined` when it cannot. */
  readonly shorten: (text: string) => string | undefined;
}

/** Leaves out what repeats, in as much detail as halves the text; failures and answers stay. Linear. */
export function elideJson(
  view: JsonView,
  input: ElideInput,
): Elided | undefined {
  const { text, tape } = view;
  if (tape.text.length < MIN_CHARS) return undefined;
  const matter = matterIn(tape, input.query);
  const opaque = opaqueIn(tape, matter.all);
  let enough: number | undefined;
  let best: Elided | undefined;
  for (const detail of DETAILS) {
    // What packages need is secondary where digests are.
    const least = opaque.size > 0 ? MIN_BRIEF_TEXT / 2 : MIN_BRIEF_TEXT;
    if (detail !== "full" && text.length < least) break;
    const elider = new Elider(view, { ...input, matter, opaque, detail }, 0);
    const found = elider.run();
    const { omitted } = found;
    const isShorter = found.text.length < (best ?? tape).text.length;
    if (omitted.count > 0 && isShorter) best = { type: "elided", ...found };
    if (!elider.mayShrink) break;
    if (best === undefined) continue;
    // White space is nearly free: most characters must go before the price need not be looked at.
    if (best.text.length < tape.text.length * SURELY_ENOUGH) break;
    enough ??= priceOf(text) * ENOUGH;
    if (priceOf(best.text) <= enough) break;
  }
  return best;
}

interface Given extends ElideInput {
  /** See {@linkcode matterIn}. */
  readonly matter: Matter;
  /** See {@linkcode opaqueIn}. */
  readonly opaque: ReadonlyMap<number, string>;
  readonly detail: typeof DETAILS[number];
}

class Elider {
  readonly #tape: Tape;
  readonly #view: JsonView;
  readonly #given: Given;
  readonly #level: number;
  readonly #opaque: Int32Array;
  /** Whether less detail can make the text shorter. */
  mayShrink = false;
  /** The row being written shows no large container in which nothing matters. */
  #isBrief = false;
  /** It is a row that less detail makes brief. */
  #mayBeBrief = false;
  /** Rows left out, and all rows of the lists that lost some. */
  #rowsOut = 0;
  #rowsIn = 0;
  /** Other values left out, and all of them. */
  #valuesOut = 0;
  #valuesIn: number;
  /** Characters left out of strings. */
  #chars = 0;

  constructor(view: JsonView, given: Given, level: number) {
    this.#view = view;
    this.#tape = view.tape;
    this.#given = given;
    this.#level = level;
    this.#opaque = Int32Array.from(given.opaque.keys()).sort();
    this.#valuesIn = view.tape.length - 1;
  }

  run(): Omit<Elided, "type"> {
    const tape = this.#tape;
    const text = tape.count(0) > 1
      ? `// JSON Lines\n${this.#container(0, false)}`
      : this.#value(1, false);
    const omitted = this.#rowsOut > 0
      ? { count: this.#rowsOut, total: this.#rowsIn, unit: "items" }
      : this.#valuesOut > 0
      ? { count: this.#valuesOut, total: this.#valuesIn, unit: "values" }
      : { count: this.#chars, total: tape.text.length, unit: "chars" };
    return { text, omitted };
  }

  /** JSON of a node; `inLine`: tables would break the line. */
  #value(node: number, inLine: boolean): string {
    const tape = this.#tape;
    const { matter, opaque } = this.#given;
    const label = opaque.get(node);
    if (label !== undefined) return this.#opaqueNote(label);
    const size = tape.size(node);
    const isContainer = tape.count(node) > 0;
    const mayGo = isContainer && size > BRIEF_CHARS;
    this.mayShrink ||= isContainer
      ? mayGo && this.#mayBeBrief
      : size > LONG_STRING;
    if (this.#isBrief && mayGo && !holdsAny(tape, matter.failures, node)) {
      return this.#note(node);
    }
    if (size <= LONG_STRING && !holdsAny(tape, this.#opaque, node)) {
      return tape.raw(node);
    }
    if (isContainer) return this.#container(node, inLine);
    return tape.isString(node) ? this.#string(node, inLine) : tape.raw(node);
  }

  #opaqueNote(label: string): string {
    this.#valuesOut++;
    return `… ${label} omitted`;
  }

  /** A whole container left out: `[… 6 items omitted]`, `{… 3 keys omitted (a, b, c)}`. */
  #note(node: number): string {
    const tape = this.#tape;
    const count = tape.count(node);
    this.#valuesOut += tape.next(node) - node - 1;
    const isKeyed = tape.kind(node) === OBJECT;
    const noun = (isKeyed ? "key" : "item") + (count === 1 ? "" : "s");
    const names = isKeyed ? ` (${namesOf(tape, tape.children(node))})` : "";
    const note = `… ${count} ${noun} omitted${names}`;
    return isKeyed ? `{${note}}` : `[${note}]`;
  }

  #string(node: number, inLine: boolean): string {
    const literal = this.#tape.raw(node);
    const isPlain = inLine || this.#tape.kind(node) === STRING;
    const inside = isPlain ? undefined : this.#inside(literal);
    if (inside !== undefined) return inside;
    const share = literal.length / this.#tape.text.length;
    const limit = this.#given.detail === "full"
      ? Math.min(LONE_STRING, Math.floor(share * STRING_BUDGET))
      : LONG_STRING;
    const { text, omitted } = cutString(
      literal.slice(1, -1),
      Math.max(LONG_STRING, limit),
    );
    this.#chars += omitted;
    return `"${text}"`;
  }

  /** What a string holds, shortened: JSON, or lines of text. */
  #inside(literal: string): string | undefined {
    const decoded = JSON.parse(literal) as string;
    const isJson = this.#level < MAX_LEVEL && startsWithBracket(decoded);
    const view = isJson ? viewOf(decoded) : undefined;
    if (view !== undefined) {
      const matter = matterIn(view.tape, this.#given.query);
      const opaque = opaqueIn(view.tape, matter.all);
      const given = { ...this.#given, matter, opaque };
      const inner = new Elider(view, given, this.#level + 1);
      const { text } = inner.run();
      this.#rowsOut += inner.#rowsOut;
      this.#rowsIn += inner.#rowsIn;
      this.#valuesOut += inner.#valuesOut;
      this.#valuesIn += inner.#valuesIn;
      this.#chars += inner.#chars;
      return `string(${text})`;
    }
    const text = this.#given.shorten(decoded);
    if (text === undefined || text.length > decoded.length) return undefined;
    this.#chars += decoded.length - text.length;
    return linesOf(text, ", shortened");
  }

  #container(node: number, inLine: boolean): string {
    const tape = this.#tape;
    const rows = tape.children(node);
    const isKeyed = tape.kind(node) === OBJECT;
    const size = tape.size(node);
    const isLong = isKeyed
      ? rows.length > MAX_MEMBERS && size > MIN_OBJECT_CHARS
      : rows.length > MAX_ROWS && size > MIN_CHARS;
    const isMany = rows.length >= MIN_BRIEF_ROWS && size > MIN_BRIEF_CHARS;
    const mayBeBrief = this.#given.detail !== "full" && isMany;
    const grid = rows.length < 2 ? undefined : this.#view.grids.of(node);
    const table = inLine
      ? undefined
      : this.#tableOf(grid, isLong || mayBeBrief);
    this.mayShrink ||= table === undefined && grid !== undefined && isMany;
    const isWhole = table !== undefined &&
      (!hasRows(table, isKeyed) || this.#isLock(table));
    const sample = isLong && !isWhole
      ? sampleOf(tape, rows, { grid, matter: this.#given.matter })
      : undefined;
    const isRowBrief = mayBeBrief && grid !== undefined;
    const write = (i: number) => {
      const outer = this.#isBrief;
      const outerMayBe = this.#mayBeBrief;
      const row = rows[i] ?? 0;
      this.#isBrief ||= isRowBrief && i >= WHOLE_ROWS;
      this.#mayBeBrief ||= isMany && grid !== undefined && i >= WHOLE_ROWS;
      const text = table === undefined
        ? this.#member(row, inLine, isRowBrief)
        : rowOf({ tape, grid: table, write: (cell) => this.#cell(cell) }, i);
      this.#isBrief = outer;
      this.#mayBeBrief = outerMayBe;
      return text;
    };
    const parts = table === undefined || hasRows(table, isKeyed)
      ? this.#rows(rows, sample, write)
      : [];
    const [open, close] = isKeyed ? ["{", "}"] : ["[", "]"];
    if (table !== undefined) {
      const lines = parts.map((line) => line + "\n").join("");
      return openingOf(tape, table, isKeyed) + lines + close;
    }
    return node === 0 ? parts.join("\n") : open + parts.join(",") + close;
  }

  /** The rows that stay, a note for each run of others, and a summary of all of them. */
  #rows(
    rows: Int32Array,
    sample: Sample | undefined,
    write: (i: number) => string,
  ): string[] {
    if (sample === undefined) return Array.from(rows, (_, i) => write(i));
    const tape = this.#tape;
    const isKeyed = tape.keyStart(rows[0] ?? 0) >= 0;
    const starts = new Uint32Array(rows.length + 1);
    const { weights, named, failing } = sample;
    const units = { starts, weights };
    const prices = Uint32Array.from(rows, (row) => tape.size(row) * TOKEN / 3);
    const keep = chooseUnits(units, prices);
    const gaps = gapsIn(units, prices, keep);
    const parts: string[] = [];
    let at = 0;
    let omitted = 0;
    for (
      const { from, to } of [...gaps, { from: rows.length, to: rows.length }]
    ) {
      while (at < from) parts.push(write(at++));
      if (to === from) break;
      const noun = isKeyed ? "keys" : "items";
      const label = isKeyed ? namesOf(tape, rows.subarray(from, to)) : "";
      parts.push(lineNote({ first: from + 1, last: to, noun }, label));
      at = to;
      omitted += to - from;
    }
    if (omitted === 0) return parts;
    this.#rowsOut += omitted;
    this.#rowsIn += rows.length;
    const more = ([
      [named, "match the question"],
      [failing, "report failures"],
    ] as const).map(([rows, words]) => {
      const out = [...rows].filter((row) => keep[row] === 0).length;
      return out === 0 ? "" : ` (${out} more ${words})`;
    }).join("");
    const summary = omitted < MIN_SUMMED ? "" : summaryOf(tape, sample, keep);
    if (summary + more === "") return parts;
    const said = summary === "" ? "" : `: ${summary}`;
    parts.push(`… the ${omitted} omitted${more}${said}`);
    return parts;
  }

  /** The columns to be written as a table, without those of opaque values; `undefined` when it is no table. */
  #tableOf(grid: Grid | undefined, isKnown: boolean): Grid | undefined {
    if (grid === undefined) return undefined;
    const isTable = isShorter(this.#tape, grid) ||
      (isKnown && (grid.root.members?.length ?? 0) <= MAX_COLUMNS);
    if (!isTable) return undefined;
    const { opaque } = this.#given;
    const reduce = (column: Column): Column => {
      if (column.members !== undefined) {
        return { ...column, members: column.members.map(reduce) };
      }
      const cells = column.cells.filter((node) => node !== 0);
      const label = opaque.get(cells[0] ?? 0);
      if (label === undefined || !cells.every((node) => opaque.has(node))) {
        return column;
      }
      this.#valuesOut += cells.length;
      return { ...column, note: `… ${label} omitted` };
    };
    if (this.#opaque.length === 0) return grid;
    const root = reduce(grid.root);
    return { ...grid, root, leaves: leavesOf(root) };
  }

  /** Whether the rows are packages with digests: each of them is what a reader looks for. */
  #isLock({ root: { members = [], present } }: Grid): boolean {
    const { opaque } = this.#given;
    const isHalf = (column: Column) => 2 * column.present > present;
    return members.some((one) => one.key === "version" && isHalf(one)) &&
      members.some((one) =>
        isHalf(one) && one.cells.some((cell) => opaque.has(cell))
      );
  }

  /** A member or item that is no line of a table; what is brief is not the row, but what is in it. */
  #member(row: number, inLine: boolean, isOwn: boolean): string {
    const tape = this.#tape;
    const value = isOwn && tape.count(row) > 0 && tape.size(row) > BRIEF_CHARS
      ? this.#container(row, inLine)
      : this.#value(row, inLine);
    return tape.keyStart(row) < 0 ? value : `"${tape.key(row)}":${value}`;
  }

  #cell(node: number): string {
    if (node === 0) return "";
    const label = this.#given.opaque.get(node);
    if (label !== undefined) {
      this.#valuesOut++;
      return `… ${label}`;
    }
    const value = this.#value(node, true);
    return value === this.#tape.raw(node) ? cellOf(this.#tape, node) : value;
  }
}

function holdsAny(tape: Tape, nodes: Int32Array, node: number): boolean {
  return within(tape, nodes, node).length > 0;
}
