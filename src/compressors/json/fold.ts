/** The same JSON in fewer characters: minified, similar values as tables, long strings as what they hold; and back. @module */
import type { CompressContext } from "../../core/compressor.ts";
import type { Rewrite } from "../../core/kind.ts";
import { scanJson, tapeOf } from "../../text/json/scan.ts";
import { ARRAY, ESCAPED, type Tape } from "../../text/json/tape.ts";
import { Grids } from "../../text/json/grid.ts";
import {
  guessLayout,
  headerOf,
  type Layout,
  layOut,
  MINIFIED,
  minified,
  readHeader,
} from "../../text/json/layout.ts";
import { skipSpace, stringEnd } from "../../text/json/tokens.ts";
import { readTable } from "../../text/json/read_table.ts";
import { isShorter, tableOf } from "../../text/json/table.ts";

/** Nesting beyond which a text is left alone: walks of a tape may recurse this deep. */
export const MAX_DEPTH = 200;
/** Characters of a string literal from which it is worth a look inside. */
const MIN_INSIDE = 160;
/** Characters that escapes must cost before lines of text stand on lines of their own. */
const MIN_ESCAPES = 40;
/** Characters from the start that tell a layout. */
const MIN_START = 4_000;
/** Characters that a header never exceeds. */
const MAX_HEADER = 200;
/** Strings of JSON in strings of JSON: levels. */
const MAX_LEVEL = 2;
const OPENING = /[[{](\d+) rows: /y;
const INSIDE = /string\(|text in the next (\d+) lines:\n/y;
/** Ends lines of text. */
const TEXT_END = "\nend of text";
/** Control characters that a reader would not see; the line feed and the tab aside. */
// deno-lint-ignore no-control-regex
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f]/;

/** A text that is JSON. */
export interface JsonView {
  /** As it is written, what follows the last complete element of a text that breaks off left out. */
  readonly text: string;
  /** Of the text without white space. */
  readonly tape: Tape;
  /** Columns of its containers. */
  readonly grids: Grids;
}

/** The view of a text that is nothing but JSON; `undefined` for all others, and for what is nested too deep. O(text). */
export function viewOf(text: string): JsonView | undefined {
  const { tape, end, open, depth } = scanJson(text, { isMinified: true });
  const isWhole = end === text.length && open.length === 0 && tape.length > 1;
  return isWhole && depth <= MAX_DEPTH
    ? { text, tape, grids: new Grids(tape) }
    : undefined;
}

/** The shortest form that loses nothing; `undefined` when no known layout gives the same text. Linear. */
export function foldJson(
  view: JsonView,
  { isEdited = false }: Pick<CompressContext, "isEdited">,
): Rewrite | undefined {
  const form = formOf(view, isEdited ? 0 : 1);
  return form === undefined ? undefined : { text: form, restore: unfold };
}

function formOf(view: JsonView, level: number): string | undefined {
  const { text, tape, grids } = view;
  const from = skipSpace(text, 0);
  const last = text.trimEnd().length;
  const body = text.slice(from, last);
  const layout = layoutOf(tape, body);
  if (layout === undefined) return undefined;
  const { isMixed } = layout;
  const short = isMixed
    ? minified(scanJson(body).tape, layout)
    : level === 0
    ? tape.text
    : new Folder(tape, grids, level).document();
  return text.slice(0, from) + headerOf(layout) + short + text.slice(last);
}

/** The layout that gives the text back from its minified tape; `undefined` when there is none. */
function layoutOf(tape: Tape, text: string): Layout | undefined {
  if (tape.count(0) === 1 && tape.text === text) return MINIFIED;
  // The first lines tell, unless some containers stand on one line further down.
  const start = text.length > MIN_START
    ? scanJson(text.slice(0, MIN_START))
    : scanJson(text);
  const layout = guessLayout(start.tape);
  if (!layout.isMixed && layOut(tape, layout) === text) return layout;
  const raw = scanJson(text).tape;
  const mixed = guessLayout(raw);
  if (!mixed.isMixed) return undefined;
  const body = tapeOf(minified(raw, mixed));
  return body !== undefined && layOut(body, mixed) === text ? mixed : undefined;
}

class Folder {
  readonly #tape: Tape;
  readonly #grids: Grids;
  readonly #level: number;

  constructor(tape: Tape, grids: Grids, level: number) {
    this.#tape = tape;
    this.#grids = grids;
    this.#level = level;
  }

  document(): string {
    const tape = this.#tape;
    if (tape.count(0) === 1) return this.#value(1) ?? tape.text;
    // A table at the start is the document: the first value is none.
    return this.#table(0) ??
      Array.from(
        tape.children(0),
        (node, i) => (i > 0 ? this.#value(node) : undefined) ?? tape.raw(node),
      ).join("\n");
  }

  /** `undefined`: as it is. */
  #value(node: number): string | undefined {
    const tape = this.#tape;
    if (tape.kind(node) === ESCAPED) return this.#inside(node);
    if (tape.count(node) === 0) return undefined;
    return this.#table(node) ?? this.#plain(node);
  }

  /** The table of the children of a container, where that is shortest. */
  #table(node: number): string | undefined {
    const grid = this.#grids.of(node);
    if (grid === undefined || !isShorter(this.#tape, grid)) return undefined;
    const table = tableOf(this.#tape, grid);
    const isNested = grid.leaves.some(({ cells }) =>
      cells.some((cell) => this.#tape.count(cell) > 1)
    );
    // What is in cells is no table: that may be shorter than this one.
    const plain = isNested ? this.#plain(node) : undefined;
    return table.length <= (plain?.length ?? Infinity) ? table : undefined;
  }

  #plain(node: number): string | undefined {
    const tape = this.#tape;
    const isList = tape.kind(node) === ARRAY;
    let isChanged = false;
    const parts: string[] = [];
    for (const child of tape.children(node)) {
      const value = this.#value(child);
      isChanged ||= value !== undefined;
      const text = value ?? tape.raw(child);
      parts.push(isList ? text : `"${tape.key(child)}":${text}`);
    }
    if (!isChanged) return undefined;
    return isList ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
  }

  /** What a string holds: JSON, or lines of text. */
  #inside(node: number): string | undefined {
    const tape = this.#tape;
    if (tape.size(node) < MIN_INSIDE) return undefined;
    const literal = tape.raw(node);
    const decoded = JSON.parse(literal) as string;
    if (JSON.stringify(decoded) !== literal) return undefined;
    if (this.#level <= MAX_LEVEL && startsWithBracket(decoded)) {
      const view = viewOf(decoded);
      const form = view && formOf(view, this.#level + 1);
      if (form !== undefined) return `string(${form})`;
    }
    const isText = literal.length - decoded.length >= MIN_ESCAPES &&
      !UNSEEN.test(decoded);
    return isText ? linesOf(decoded, "") : undefined;
  }
}

/** Whether the first character, white space aside, opens an object or array. */
export function startsWithBracket(text: string): boolean {
  return /^\s{0,100}[[{]/.test(text);
}

/** Lines of text in place of a string; `note` follows their number. */
export function linesOf(text: string, note: string): string {
  const count = text.split("\n").length;
  return `text in the next ${count} lines${note}:\n${text}${TEXT_END}`;
}

/**
 * Gives back the text that was folded. Linear.
 *
 * @throws {SyntaxError} If it is not a form.
 */
export function unfold(form: string): string {
  return new Reader(form).document(0);
}

class Reader {
  readonly #form: string;
  #at = 0;

  constructor(form: string) {
    this.#form = form;
  }

  /** The original of the form that starts here; it ends with a closing parenthesis or with the text. */
  document(level: number): string {
    const form = this.#form;
    const from = this.#at;
    if (level > 2 * MAX_LEVEL) throw this.#broken("less nesting");
    const start = skipSpace(form, from);
    const { layout, length } = readHeader(
      form.slice(start, start + MAX_HEADER),
    );
    this.#at = start + length;
    const json = this.#json(layout.isLines, level);
    const end = json.trimEnd().length;
    const tape = tapeOf(json.slice(0, end));
    if (tape === undefined) throw this.#broken("JSON");
    return form.slice(from, start) + layOut(tape, layout) + json.slice(end);
  }

  /** Replaces tables and strings by JSON; in JSON Lines a table at the start is the document. */
  #json(isLines: boolean, level: number): string {
    const form = this.#form;
    const start = this.#at;
    let out = "";
    let copied = start;
    for (; this.#at < form.length; this.#at++) {
      const at = this.#at;
      const code = form.charCodeAt(at);
      let read: string | undefined;
      if (code === 0x22) this.#at = stringEnd(form, at) - 1;
      else if (code === 0x29) break;
      else if (code === 0x5b || code === 0x7b) {
        read = this.#table(isLines && at === start);
      } else if (code === 0x73 || code === 0x74) read = this.#inside(level);
      if (read === undefined) continue;
      out += form.slice(copied, at) + read;
      copied = this.#at;
      this.#at--;
    }
    return out + form.slice(copied, this.#at);
  }

  /** A table as JSON; `isDocument`: its rows are the values of JSON Lines. */
  #table(isDocument: boolean): string | undefined {
    const rows = this.#match(OPENING)?.[1];
    if (rows === undefined) return undefined;
    const isKeyed = this.#form.charCodeAt(this.#at) === 0x7b;
    const { values, end } = readTable(this.#form, OPENING.lastIndex, {
      rows: Number(rows),
      isKeyed,
    });
    this.#at = end + 1;
    if (isDocument) return values.join("\n");
    return isKeyed ? `{${values.join(",")}}` : `[${values.join(",")}]`;
  }

  /** A string that is shown as what it holds: so many lines of text, or JSON. */
  #inside(level: number): string | undefined {
    const match = this.#match(INSIDE);
    if (match === null) return undefined;
    const start = this.#at = INSIDE.lastIndex;
    if (match[1] === undefined) {
      const text = this.document(level + 1);
      this.#at++;
      return JSON.stringify(text);
    }
    let end = start - 1;
    for (let line = Number(match[1]); line > 0 && end >= 0; line--) {
      end = this.#form.indexOf("\n", end + 1);
    }
    if (end < 0 || !this.#form.startsWith(TEXT_END, end)) {
      throw this.#broken("lines of text");
    }
    this.#at = end + TEXT_END.length;
    return JSON.stringify(this.#form.slice(start, end));
  }

  #match(signs: RegExp): RegExpExecArray | null {
    signs.lastIndex = this.#at;
    return signs.exec(this.#form);
  }

  #broken(wanted: string): SyntaxError {
    return new SyntaxError(
      `Cannot read the form at offset ${this.#at}: expected ${wanted}`,
    );
  }
}
