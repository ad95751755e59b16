/** JSON with the middle of long arrays, wide objects and long strings left out, each with a note in place. @module */
import { cellOf, NOTE } from "./cell.ts";
import { isAllConstant } from "./column.ts";
import { LONG_STRING } from "./defaults.ts";
import type { Detail } from "./detail.ts";
import { holdsDigest } from "./digests.ts";
import { holdsBracket, linesOf } from "./embedded.ts";
import { failuresIn } from "./failure.ts";
import { digestNote, type Reduced } from "./leave_out.ts";
import { type List, listOf } from "./list.ts";
import { cutString, stringLimitOf } from "./long_string.ts";
import { noteOf, withNotes } from "./note.ts";
import { reformat, Tables } from "./reformat.ts";
import { holdsSignal, type Signals, signalsOf } from "./sample.ts";
import { scanJson } from "./scan.ts";
import { summaryNote } from "./summary.ts";
import { lineWriter, openingOf } from "./table.ts";
import {
  ESCAPED,
  isContainer,
  keyOf,
  rawOf,
  STRING,
  type Tape,
} from "./tape.ts";

/** JSON in strings of JSON: levels. */
const MAX_LEVEL = 2;
/** Characters of a container in a brief row that is not worth a note. */
const BRIEF_CHARS = 100;

/** A text with parts left out. */
export interface Elision {
  /** The rest, with notes. */
  readonly text: string;
  /** Items and entries left out. */
  readonly items: number;
  /** Items and entries of the containers that lost some. */
  readonly ofItems: number;
  /** Machine-made strings left out. */
  readonly values: number;
  /** Values of the text, containers aside. */
  readonly ofValues: number;
  /** Characters of strings left out. */
  readonly chars: number;
  /** Levels of large containers that were written. */
  readonly levels: number;
}

/** How to leave things out. */
export interface ElideInput {
  /** Knows the columns that the tape has. */
  readonly tables: Tables;
  /** What matters in the tape. */
  readonly signals: Signals;
  /** What the reader asked for. */
  readonly query: string;
  /** See {@linkcode Detail}. */
  readonly detail: Detail;
  /** Shortens lines of text; `undefined` when it cannot. */
  readonly shorten: (text: string) => string | undefined;
}

/** Leaves out what repeats; failures stay. Linear. */
export function elide(tape: Tape, input: ElideInput): Elision {
  return new Elider(tape, input, 0).run();
}

class Elider {
  readonly #tape: Tape;
  readonly #given: ElideInput;
  readonly #level: number;
  readonly #input: Signals;
  readonly #stringLimit: number;
  /** Shapes whose keys a note has named. */
  readonly #named = new Set<number>();
  /** The row being written shows no large container without a failure. */
  #isBrief = false;
  /** Containers being written. */
  #depth = 0;
  #levels = 0;
  #items = 0;
  #ofItems = 0;
  #values = 0;
  #ofValues = 0;
  #chars = 0;
  /** Values that the note of their table or list stands for. */
  readonly #covered = new Set<number>();
  /** Machine-made strings that are shown all the same. */
  readonly #needed = new Set<number>();

  constructor(tape: Tape, given: ElideInput, level: number) {
    this.#tape = tape;
    this.#given = given;
    this.#level = level;
    this.#input = level === 0 ? given.signals : signalsOf(tape, given.query);
    this.#stringLimit = given.detail.brief ? LONG_STRING : stringLimitOf(tape);
  }

  run(): Elision {
    const isLines = this.#tape.count[0]! > 1;
    const text = isLines
      ? `// JSON Lines\n${this.#container(0, false)}`
      : this.#value(1, false);
    return {
      text,
      items: this.#items,
      ofItems: this.#ofItems,
      values: this.#values,
      ofValues: this.#ofValues + scalarsIn(this.#tape),
      chars: this.#chars,
      levels: this.#levels,
    };
  }

  /** JSON of a node; `inLine`: tables would break the line. */
  #value(node: number, inLine: boolean): string {
    const tape = this.#tape;
    const kind = tape.kind[node]!;
    const size = tape.end[node]! - tape.start[node]!;
    const label = this.#digest(node);
    if (label !== undefined) {
      this.#leaveOut(node);
      return this.#covered.has(node) ? NOTE : digestNote(tape, node, label);
    }
    if (this.#isBrief && isContainer(kind) && size > BRIEF_CHARS) {
      if (failuresIn(tape, this.#input.failures, node).length === 0) {
        return this.#note(node);
      }
    } else if (size <= LONG_STRING && !this.#holdsDigest(node)) {
      return rawOf(tape, node);
    }
    if (isContainer(kind) && this.#depth >= this.#given.detail.depth) {
      if (!holdsSignal(tape, this.#input, node)) return this.#note(node);
    }
    if (kind === STRING || kind === ESCAPED) return this.#string(node, inLine);
    return isContainer(kind)
      ? this.#container(node, inLine)
      : rawOf(tape, node);
  }

  /** What a value that is left out is. */
  #digest(node: number): string | undefined {
    return this.#needed.has(node)
      ? undefined
      : this.#input.digests.labels.get(node);
  }

  #leaveOut(digest: number): void {
    const isList = isContainer(this.#tape.kind[digest]!);
    this.#values += isList ? this.#tape.count[digest]! : 1;
  }

  #holdsDigest(node: number): boolean {
    return holdsDigest(this.#input.digests, this.#tape, node);
  }

  #note(node: number): string {
    const tape = this.#tape;
    const shape = tape.shape[node]!;
    const isNew = shape === 0 || !this.#named.has(shape);
    this.#named.add(shape);
    this.#items += tape.count[node]!;
    this.#ofItems += tape.count[node]!;
    return noteOf(tape, node, isNew);
  }

  #string(node: number, inLine: boolean): string {
    const literal = rawOf(this.#tape, node);
    const inside = inLine ? undefined : this.#inside(node, literal);
    if (inside !== undefined) return inside;
    const { text, omitted } = cutString(
      literal.slice(1, -1),
      this.#stringLimit,
    );
    this.#chars += omitted;
    return `"${text}"`;
  }

  /** What a string holds, shortened: JSON, or lines of text. */
  #inside(node: number, literal: string): string | undefined {
    if (this.#tape.kind[node] !== ESCAPED) return undefined;
    const decoded = JSON.parse(literal) as string;
    if (holdsBracket(decoded) && this.#level < MAX_LEVEL) {
      const tape = scanJson(decoded);
      if (typeof tape !== "string") return this.#json(tape);
    }
    const text = this.#given.shorten(decoded);
    if (text === undefined || text.length > decoded.length) return undefined;
    this.#chars += decoded.length - text.length;
    return linesOf(text, ", shortened");
  }

  #json(tape: Tape): string {
    const tables = new Tables(tape);
    reformat(tape, { tables });
    const given = { ...this.#given, tables };
    const inner = new Elider(tape, given, this.#level + 1).run();
    this.#items += inner.items;
    this.#ofItems += inner.ofItems;
    this.#values += inner.values;
    this.#ofValues += inner.ofValues;
    this.#chars += inner.chars;
    return `string(${inner.text})`;
  }

  #container(node: number, inLine: boolean): string {
    const tape = this.#tape;
    const { tables, detail } = this.#given;
    const signals = this.#input;
    const list = listOf(tape, node, { tables, detail, signals, inLine });
    const { rows, keyed, grid, table, sample, cover } = list;
    for (const one of cover.covered) this.#covered.add(one);
    this.#levels = Math.max(this.#levels, ++this.#depth);
    const write = this.#writerOf(list, inLine);
    const hasRows = table === undefined || keyed || !isAllConstant(table.grid);
    const parts = hasRows
      ? withNotes(tape, { rows, keyed, keep: sample?.keep }, write)
      : [];
    this.#depth--;
    if (sample !== undefined) {
      this.#count(rows.length, sample.keep);
      const summary = summaryNote(tape, grid, sample);
      if (summary !== "") parts.push(summary);
    }
    if (cover.note !== "") parts.push(cover.note);
    const [open, close] = keyed ? ["{", "}"] : ["[", "]"];
    if (table !== undefined) {
      if (table.note !== "") parts.unshift(table.note);
      const lines = parts.map((line) => line + "\n").join("");
      return openingOf(tape, table.grid, keyed) + lines + close;
    }
    return node === 0 ? parts.join("\n") : open + parts.join(",") + close;
  }

  /** What writes row `i` of a list. */
  #writerOf(
    { rows, keyed, table, sample, whole }: List,
    inLine: boolean,
  ): (i: number) => string {
    const write = table !== undefined
      ? this.#lineAt(table, keyed, sample?.keep)
      : whole === undefined
      ? (i: number) => this.#member(rows[i]!, keyed, inLine)
      : (i: number) => this.#listed(rows[i]!, keyed, inLine);
    return this.#withBrief(write, whole);
  }

  #withBrief(
    write: (i: number) => string,
    whole: ReadonlySet<number> | undefined,
  ): (i: number) => string {
    if (whole === undefined) return write;
    return (i) => {
      const outer = this.#isBrief;
      this.#isBrief = outer || !whole.has(i);
      const text = write(i);
      this.#isBrief = outer;
      return text;
    };
  }

  #lineAt(
    { grid, covered, needed, dropped }: Reduced,
    keyed: boolean,
    keep: Uint8Array | undefined,
  ): (i: number) => string {
    for (const node of covered) this.#covered.add(node);
    for (const node of needed) this.#needed.add(node);
    for (const { cells } of dropped) {
      for (let i = 0; i < cells.length; i++) {
        if (cells[i] !== 0 && keep?.[i] !== 0) this.#leaveOut(cells[i]!);
      }
    }
    const write = (tape: Tape, node: number) => this.#cell(tape, node);
    const isOmitted = (node: number) => this.#covered.has(node);
    return lineWriter(this.#tape, grid, { keyed, write, isOmitted });
  }

  /** A member or item that is no line of a table. */
  #member(row: number, keyed: boolean, inLine: boolean): string {
    const value = this.#value(row, inLine);
    return keyed ? `"${keyOf(this.#tape, row)}":${value}` : value;
  }

  /** A row of a list that may be brief: what is brief is not the row, but what is in it. */
  #listed(row: number, keyed: boolean, inLine: boolean): string {
    const tape = this.#tape;
    const isOwn = isContainer(tape.kind[row]!) &&
      tape.end[row]! - tape.start[row]! > BRIEF_CHARS;
    if (!isOwn) return this.#member(row, keyed, inLine);
    const value = this.#container(row, inLine);
    return keyed ? `"${keyOf(tape, row)}":${value}` : value;
  }

  #cell(tape: Tape, node: number): string {
    const size = tape.end[node]! - tape.start[node]!;
    const isShort = size <= (this.#isBrief ? BRIEF_CHARS : LONG_STRING);
    if (isShort && !this.#holdsDigest(node)) return cellOf(tape, node);
    const value = this.#value(node, true);
    return value === rawOf(tape, node) ? cellOf(tape, node) : value;
  }

  #count(rows: number, keep: Uint8Array): void {
    const kept = keep.reduce((sum, one) => sum + one, 0);
    if (kept === rows) return;
    this.#items += rows - kept;
    this.#ofItems += rows;
  }
}

/** Values that are no containers. */
function scalarsIn({ kind, length }: Tape): number {
  let count = 0;
  for (let node = 1; node < length; node++) {
    if (!isContainer(kind[node]!)) count++;
  }
  return count;
}
