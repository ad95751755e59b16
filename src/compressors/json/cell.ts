/** Cells and names of a table: written bare where that can be read in one way only, else as JSON. @module */
import { ESCAPED, STRING, type Tape } from "./tape.ts";
import { containerEnd } from "../../text/json/scan.ts";
import { isDigit, stringEnd } from "../../text/json/tokens.ts";

/** Starts a row that does not fit the columns; the value follows as JSON. */
export const MISFIT = "item ";
/** Starts every note about something left out. */
export const NOTE = "…";

/** Broader than JSON's numbers: a string that anyone would read as a number gets quotes. */
const NUMBER_LIKE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const BARE_NAME =
  /^[^\s"\\,:=*?{}[\]…](?:[^"\\,:=*{}[\]\n]*[^\s"\\,:=*?{}[\]])?$/;
const HEADER_SIGNS = /[,=*{}[\]"\\]/;

/** Text of a node as a cell; an empty cell is a missing member. */
export function cellOf(tape: Tape, node: number): string {
  if (node === 0) return "";
  const start = tape.start[node]!;
  const end = tape.end[node]!;
  const kind = tape.kind[node]!;
  if (kind !== STRING) return tape.text.slice(start, end);
  const content = tape.text.slice(start + 1, end - 1);
  return isBare(content) ? content : tape.text.slice(start, end);
}

/** Whether the content of a string without escapes needs no quotes as a cell. */
export function isBare(content: string): boolean {
  const length = content.length;
  if (length === 0 || content.includes(",")) return false;
  const first = content.charCodeAt(0);
  if (isLetter(first)) {
    if (content.charCodeAt(length - 1) === 0x20) return false;
    switch (first) {
      case 0x66: // f
        return content !== "false";
      case 0x69: // i
        return !content.startsWith(MISFIT);
      case 0x6e: // n
        return content !== "null";
      case 0x74: // t
        return content !== "true";
      default:
        return true;
    }
  }
  return isBareSign(content, first);
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isBareSign(content: string, first: number): boolean {
  if (content.charCodeAt(content.length - 1) === 0x20) return false;
  switch (first) {
    case 0x20: // space
    case 0x22: // "
    case 0x5b: // [
    case 0x7b: // {
    case 0x2026: // …
      return false;
    case 0x2b: // +
    case 0x2d: // -
    case 0x2e: // .
      return !NUMBER_LIKE.test(content);
    default:
      return !isDigit(first) || content.length > 40 ||
        !NUMBER_LIKE.test(content);
  }
}

/** A raw key or string content as it stands in a table's header. */
export function nameOf(key: string): string {
  return BARE_NAME.test(key) ? key : `"${key}"`;
}

/** A constant as it stands in a table's header. */
export function constantOf(tape: Tape, node: number): string {
  const cell = cellOf(tape, node);
  if (tape.kind[node] !== STRING || cell.startsWith('"')) return cell;
  return HEADER_SIGNS.test(cell) ? `"${cell}"` : cell;
}

/** Content of a string without escapes, or the text of a number; `undefined` for anything else. */
export function contentOf(tape: Tape, node: number): string | undefined {
  const kind = tape.kind[node]!;
  if (kind === STRING) {
    return tape.text.slice(tape.start[node]! + 1, tape.end[node]! - 1);
  }
  return kind > ESCAPED
    ? tape.text.slice(tape.start[node], tape.end[node])
    : undefined;
}

/** A cell read back: its JSON, empty when missing, and the offset after it. */
export interface ReadCell {
  /** JSON text of the value. */
  readonly json: string;
  /** Offset of the comma, newline or closing sign after the cell. */
  readonly end: number;
}

/**
 * Reads the cell at `at`, which ends at one of the code units for which `isEnd` holds.
 *
 * @throws {SyntaxError} If a quoted string or a container is not closed.
 */
export function readCell(
  text: string,
  at: number,
  isEnd: (code: number) => boolean,
): ReadCell {
  const code = text.charCodeAt(at);
  if (code === 0x22) {
    const end = stringEnd(text, at);
    return { json: text.slice(at, end), end };
  }
  if (code === 0x7b || code === 0x5b) {
    const end = containerEnd(text, at);
    return { json: text.slice(at, end), end };
  }
  let end = at;
  while (end < text.length && !isEnd(text.charCodeAt(end))) end++;
  return { json: jsonOf(text.slice(at, end)), end };
}

/** JSON of a bare cell. */
function jsonOf(bare: string): string {
  switch (bare) {
    case "":
    case "true":
    case "false":
    case "null":
      return bare;
  }
  const first = bare.charCodeAt(0);
  const isNumber = (isDigit(first) || first === 0x2d) && JSON_NUMBER.test(bare);
  return isNumber ? bare : `"${bare}"`;
}
