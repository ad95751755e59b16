/** The inverse of `reformat`: tables back to objects, then the white space back. @module */
import { MISFIT, readCell } from "./cell.ts";
import { splitRest, withoutBrackets } from "./cut_off.ts";
import { type Fold, readEmbedded } from "./embedded.ts";
import { MAX_HEADER, readHeader } from "./header.ts";
import { layOut, skipSpace } from "./layout.ts";
import { unfoldMixed } from "./mixed.ts";
import { type Heading, readHeadings, writeObject } from "./heading.ts";
import { stringEnd } from "../../text/json/tokens.ts";

/** Strings in strings in strings: more than the writer makes. */
const MAX_DEPTH = 8;

/**
 * Gives back the text that was reformatted. Linear.
 *
 * @param reformatted What the compressor returned as `reformatted`.
 * @param folds Inverses of the texts that were folded inside it.
 * @throws {SyntaxError} If it is not such a text.
 */
export function restoreJson(
  reformatted: string,
  folds: readonly Fold["restore"][] = [],
): string {
  const cut = splitRest(reformatted);
  const body = cut?.form ?? reformatted;
  const { text } = new Reader(body, folds).document(0, 0);
  return cut === undefined
    ? text
    : withoutBrackets(text, cut.brackets) + cut.rest;
}

/** Reads forms inside one text. */
class Reader {
  readonly #body: string;
  readonly #folds: readonly Fold["restore"][];

  constructor(body: string, folds: readonly Fold["restore"][]) {
    this.#body = body;
    this.#folds = folds;
  }

  /** The original of the form at `at`; `end` is the offset of a closing parenthesis, or of the end. */
  document(at: number, depth: number): { text: string; end: number } {
    const body = this.#body;
    if (depth > MAX_DEPTH) {
      throw new SyntaxError(`Cannot read the string at offset ${at}: too deep`);
    }
    const start = skipSpace(body, at);
    const { layout, mixed, length } = readHeader(
      body.slice(start, start + MAX_HEADER),
    );
    const before = body.slice(at, start);
    if (mixed !== undefined) {
      const values = body.slice(start + length);
      const text = before + unfoldMixed(values, layout, mixed);
      return { text, end: body.length };
    }
    const { out, end } = this.#expand(start + length, layout.lines, depth);
    return { text: before + layOut(out, layout), end };
  }

  /** Replaces tables and strings by JSON; in JSON Lines a table at the start is the document. */
  #expand(
    start: number,
    lines: boolean,
    depth: number,
  ): { out: string; end: number } {
    const body = this.#body;
    const restorers = {
      json: (at: number) => this.document(at, depth + 1),
      folds: this.#folds,
    };
    let out = "";
    let copied = start;
    let at = start;
    for (; at < body.length; at++) {
      const code = body.charCodeAt(at);
      if (code === 0x22) at = stringEnd(body, at) - 1;
      else if (code === 0x29) break;
      else if (isWord(code)) {
        const embedded = readEmbedded(body, at, restorers);
        if (embedded === undefined) continue;
        out += body.slice(copied, at) + embedded.literal;
        copied = embedded.end;
        at = copied - 1;
      } else if (code === 0x5b || code === 0x7b) {
        const table = openingAt(body, at);
        if (table === undefined) continue;
        const { objects, end } = readTable(body, table, code === 0x7b);
        const [open, between, close] = lines && at === start
          ? ["", "\n", ""]
          : code === 0x5b
          ? ["[", ",", "]"]
          : ["{", ",", "}"];
        out += body.slice(copied, at) + open + objects.join(between) + close;
        copied = end + 1;
        at = end;
      }
    }
    return { out: out + body.slice(copied, at), end: at };
  }
}

/** Whether a string that is shown as what it holds may start so: `A`, `H`, `s` or `t`. */
function isWord(code: number): boolean {
  return code === 0x73 || code === 0x74 || code === 0x41 || code === 0x48;
}

/** The first line of a table. */
interface Opening {
  readonly rows: number;
  /** Offset of the names. */
  readonly names: number;
}

const OPENING = /[[{](\d+) rows: /y;

function openingAt(body: string, at: number): Opening | undefined {
  OPENING.lastIndex = at;
  const match = OPENING.exec(body);
  if (match === null) return undefined;
  return { rows: Number(match[1]), names: OPENING.lastIndex };
}

/** Reads all rows; `end` is the offset of the closing bracket. */
function readTable(
  body: string,
  opening: Opening,
  keyed: boolean,
): { readonly objects: readonly string[]; readonly end: number } {
  const { headings, end, cells } = readHeadings(body, opening.names);
  const isBlank = cells === 0 && !keyed &&
    body.charCodeAt(end + 1) === 0x5d;
  const objects: string[] = [];
  let at = end + 1;
  for (let i = 0; i < opening.rows; i++) {
    if (isBlank) {
      objects.push(writeObject(headings, []));
      continue;
    }
    let key = "";
    if (keyed) {
      const colon = body.charCodeAt(at) === 0x22
        ? stringEnd(body, at)
        : body.indexOf(": ", at);
      key = body.charCodeAt(at) === 0x22
        ? body.slice(at, colon) + ":"
        : `"${body.slice(at, colon)}":`;
      at = colon + 2;
    }
    const row = readRow(body, at, headings, cells);
    objects.push(key + row.json);
    at = row.end + 1;
  }
  return { objects, end: at };
}

/** Reads one row; `end` is the offset of its newline. */
function readRow(
  body: string,
  at: number,
  headings: readonly Heading[],
  cells: number,
): { readonly json: string; readonly end: number } {
  if (body.startsWith(MISFIT, at)) {
    return readCell(body, at + MISFIT.length, isNewline);
  }
  const values: string[] = [];
  let end = at;
  for (let c = 0; c < cells; c++) {
    if (c > 0) end++;
    const cell = readCell(body, end, isCellEnd);
    values.push(cell.json);
    end = cell.end;
  }
  if (!isNewline(body.charCodeAt(end))) {
    throw new SyntaxError(
      `Cannot read the row at offset ${at}: write ${cells} cells and a newline`,
    );
  }
  return { json: writeObject(headings, values), end };
}

function isNewline(code: number): boolean {
  return code === 0x0a;
}

function isCellEnd(code: number): boolean {
  return code === 0x2c || code === 0x0a;
}
