/** Writes JSON without the middle of long lists, deep levels and long strings, each with a note in place. @module */
import type { Elided } from "../../core/kind.ts";
import { OBJECT, STRING, type Tape } from "../../text/json/tape.ts";
import { type JsonView, linesOf, startsWithBracket, viewOf } from "./fold.ts";
import type { Grid } from "../../text/json/grid.ts";
import { cutString } from "./cut_string.ts";
import { LONG_STRING, namesOf, opaqueIn } from "./left_out.ts";
import { isLock, sampledRows, sizeOf, withoutOpaque } from "./rows.ts";
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

/** Columns up to which the rows that stay are surely shorter as a table. */
const MAX_COLUMNS = 30;
/** First rows, which are never brief. */
const WHOLE_ROWS = 2;
/** Characters of a container in a brief row that is not worth a note. */
const BRIEF_CHARS = 100;
/** Characters that stay of a long string at most, and of one that is the whole text but for that. */
const LONE_STRING = 2_000;
const STRING_BUDGET = 6_000;
/** JSON in strings of JSON: levels. */
const MAX_LEVEL = 2;

/** What is asked, and how lines of text are shortened. */
export interface ElideInput {
  readonly query: string;
  /** `undefined` when it cannot. */
  readonly shorten: (text: string) => string | undefined;
}

/** What is known of a text when it is written. */
export interface Given extends ElideInput {
  /** See {@linkcode matterIn}. */
  readonly matter: Matter;
  /** See {@linkcode opaqueIn}. */
  readonly opaque: ReadonlyMap<number, string>;
  /** Brief rows show nothing large that is nested in them. */
  readonly detail: "full" | "brief";
}

/** Rows to be written. */
interface List {
  readonly rows: Int32Array;
  /** Their columns; `undefined` where they are no table. */
  readonly table: Grid | undefined;
  readonly inLine: boolean;
  /** Rows behind the first ones are brief, or would be in less detail. */
  readonly isBrief: boolean;
  readonly mayBeBrief: boolean;
}

/** Writes a text, and counts what it leaves out. */
export class Elider {
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
    const { isLong, isMany } = sizeOf(tape, node);
    const mayBeBrief = this.#given.detail !== "full" && isMany;
    const grid = rows.length < 2 ? undefined : this.#view.grids.of(node);
    const table = inLine
      ? undefined
      : this.#tableOf(grid, isLong || mayBeBrief);
    const isGrid = grid !== undefined;
    this.mayShrink ||= table === undefined && isGrid && isMany;
    const isKeyed = tape.kind(node) === OBJECT;
    const hasLines = table === undefined || hasRows(table, isKeyed);
    const isLocked = table !== undefined && isLock(table, this.#given.opaque);
    const sample = isLong && hasLines && !isLocked
      ? sampleOf(tape, rows, { grid, matter: this.#given.matter })
      : undefined;
    const list = {
      ...{ rows, table, inLine },
      isBrief: mayBeBrief && isGrid,
      mayBeBrief: isMany && isGrid,
    };
    const parts = hasLines ? this.#rows(list, sample) : [];
    return joined(tape, parts, { node, table });
  }

  /** The rows, or those that stay of a long list. */
  #rows(list: List, sample: Sample | undefined): string[] {
    const { rows } = list;
    const write = (i: number) => this.#row(list, i);
    if (sample === undefined) return Array.from(rows, (_, i) => write(i));
    const { parts, omitted } = sampledRows(this.#tape, { rows, sample }, write);
    this.#rowsOut += omitted;
    if (omitted > 0) this.#rowsIn += rows.length;
    return parts;
  }

  #row(
    { rows, table, inLine, isBrief, mayBeBrief }: List,
    i: number,
  ): string {
    const outer = this.#isBrief;
    const outerMayBe = this.#mayBeBrief;
    this.#isBrief ||= isBrief && i >= WHOLE_ROWS;
    this.#mayBeBrief ||= mayBeBrief && i >= WHOLE_ROWS;
    const write = (cell: number) => this.#cell(cell);
    const text = table === undefined
      ? this.#member(rows[i] ?? 0, inLine, isBrief)
      : rowOf({ tape: this.#tape, grid: table, write }, i);
    this.#isBrief = outer;
    this.#mayBeBrief = outerMayBe;
    return text;
  }

  /** The columns to be written as a table, without those of opaque values; `undefined` when it is no table. */
  #tableOf(grid: Grid | undefined, isKnown: boolean): Grid | undefined {
    if (grid === undefined) return undefined;
    const isTable = isShorter(this.#tape, grid) ||
      (isKnown && (grid.root.members?.length ?? 0) <= MAX_COLUMNS);
    if (!isTable || this.#opaque.length === 0) {
      return isTable ? grid : undefined;
    }
    const { table, omitted } = withoutOpaque(grid, this.#given.opaque);
    this.#valuesOut += omitted;
    return table;
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

/** A container of which the parts are written: as a table, as lines, or in brackets. */
function joined(
  tape: Tape,
  parts: readonly string[],
  { node, table }: { readonly node: number; readonly table: Grid | undefined },
): string {
  const isKeyed = tape.kind(node) === OBJECT;
  const [open, close] = isKeyed ? ["{", "}"] : ["[", "]"];
  if (table !== undefined) {
    const lines = parts.map((line) => line + "\n").join("");
    return openingOf(tape, table, isKeyed) + lines + close;
  }
  return node === 0 ? parts.join("\n") : open + parts.join(",") + close;
}

function holdsAny(tape: Tape, nodes: Int32Array, node: number): boolean {
  return within(tape, nodes, node).length > 0;
}
