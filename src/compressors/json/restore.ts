/** The inverse of `reformat`: tables back to objects, then the white space back. @module */
import { MISFIT, readCell } from "./cell.ts";
import { layOut, readHeader, skipSpace } from "./layout.ts";
import { type Heading, readHeadings, writeObject } from "./heading.ts";
import { stringEnd } from "./token.ts";

/**
 * Gives back the text that was reformatted. Linear.
 *
 * @param reformatted What the compressor returned as `reformatted`.
 * @throws {SyntaxError} If it is not such a text.
 */
export function restoreJson(reformatted: string): string {
  const start = skipSpace(reformatted, 0);
  const rest = reformatted.slice(start);
  const { layout, length } = readHeader(rest);
  const minified = expand(rest.slice(length), layout.lines);
  return reformatted.slice(0, start) + layOut(minified, layout);
}

/** Replaces tables by JSON; in JSON Lines a table at the start is the document. */
function expand(body: string, lines: boolean): string {
  let out = "";
  let copied = 0;
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (code === 0x22) at = stringEnd(body, at) - 1;
    if (code !== 0x5b && code !== 0x7b) continue;
    const table = openingAt(body, at);
    if (table === undefined) continue;
    const [open, between, close] = lines && at === 0
      ? ["", "\n", ""]
      : code === 0x5b
      ? ["[", ",", "]"]
      : ["{", ",", "}"];
    const { objects, end } = readTable(body, table, code === 0x7b);
    out += body.slice(copied, at) + open + objects.join(between) + close;
    copied = end + 1;
    at = end;
  }
  return out + body.slice(copied);
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
