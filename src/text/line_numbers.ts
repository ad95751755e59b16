/** A number before each line: recognised, taken off, put back. @module */
import {
  indexLines,
  lineAt,
  lineEnd,
  type Lines,
  lineStart,
  offsetAt,
} from "./lines.ts";

/** How the numbers are written. */
export interface NumberStyle {
  /** Fills a short number up on the left; empty when numbers have no fixed width. */
  readonly pad: "" | " " | "0";
  /** UTF-16 units of a number with its padding, at least. */
  readonly width: number;
  /** Stands between the number and the line. */
  readonly separator: string;
}

/** A run of lines with rising numbers. */
export interface NumberedRun {
  /** How they are written. */
  readonly style: NumberStyle;
  /** Number of the first line. */
  readonly first: number;
  /** Offset of the run in the text. */
  readonly start: number;
  /** Offset behind its last line, before the newline if there is one. */
  readonly end: number;
  /** Offset of each line in the text, number included; one more at the end, one behind where the next line would start. */
  readonly starts: Uint32Array;
}

/** Lines before the numbers start: a heading of the tool. */
const MAX_HEAD = 5;
/** UTF-16 units of a line in which its number stands. */
const HEAD = 24;
/** Shorter runs gain nothing. */
const MIN_LINES = 8;
/** Share of the lines that the run must have. */
const MIN_SHARE = 0.6;
/** As tools write them; of two that begin alike the longer one comes first. */
const SEPARATORS = ["→", "\t", " | ", "| ", "|", ": ", ":"] as const;
const RULE = /^[-=+| ]*[-=]{2,}[-=+| ]*$/;
const FIRST = /^([ 0]*)(\d{1,7})(→|\t| \| |\| ?|: ?)/;

/** Writes a number as `style` says, separator included. */
export function prefixOf(style: NumberStyle, number: number): string {
  const digits = style.pad === ""
    ? `${number}`
    : `${number}`.padStart(style.width, style.pad);
  return digits + style.separator;
}

/** Finds the run that makes up most of `text`; `undefined` when there is none. O(n). */
export function numberedRun(text: string): NumberedRun | undefined {
  // Few texts have a number at the start: no others are indexed.
  let at = 0;
  for (let i = 0; i <= MAX_HEAD; i++) {
    const run = FIRST.test(text.slice(at, at + HEAD))
      ? runFrom(indexLines(text), i)
      : undefined;
    if (run !== undefined) return run;
    at = text.indexOf("\n", at) + 1;
    if (at === 0) return undefined;
  }
  return undefined;
}

function runFrom(lines: Lines, from: number): NumberedRun | undefined {
  const { text, starts, count } = lines;
  const start = lineStart(lines, from);
  const head = text.slice(start, start + HEAD);
  const match = FIRST.exec(head);
  if (match === null) return undefined;
  const [, pad = "", digits = "", found = ""] = match;
  const first = Number(digits);
  for (const separator of SEPARATORS) {
    if (!found.startsWith(separator)) continue;
    // A heading of the same make: the numbers are a column of a table.
    const isColumn = isBelowRule(lines, from) && separator.includes("|") ||
      pad === "" && from > 0 && /[	|]/.test(separator) &&
        /[	|]/.test(lineAt(lines, from - 1));
    if (isColumn) continue;
    const style = styleOf(pad, digits, separator);
    const to = endOfRun(lines, { from, first, style });
    if (to - from < MIN_LINES || to - from < MIN_SHARE * count) continue;
    return {
      style,
      first,
      start: lineStart(lines, from),
      end: Math.min(text.length, lineEnd(lines, to - 1)),
      starts: starts.subarray(from, to + 1),
    };
  }
  return undefined;
}

/** Whether the rule of a table is above a line. */
function isBelowRule(lines: Lines, line: number): boolean {
  for (let i = 0; i < line; i++) if (RULE.test(lineAt(lines, i))) return true;
  return false;
}

function styleOf(pad: string, digits: string, separator: string): NumberStyle {
  if (pad === "") return { pad: "", width: 0, separator };
  const width = pad.length + digits.length;
  return { pad: pad.startsWith("0") ? "0" : " ", width, separator };
}

/** Index of the first line behind `from` that does not carry the next number. */
function endOfRun(
  lines: Lines,
  { from, first, style }: {
    readonly from: number;
    readonly first: number;
    readonly style: NumberStyle;
  },
): number {
  for (let i = from; i < lines.count; i++) {
    const prefix = prefixOf(style, first + i - from);
    if (!lines.text.startsWith(prefix, lineStart(lines, i))) return i;
  }
  return lines.count;
}

/** Files in which a number at the start of a line is a key or a cell. */
const COLUMNS = /\.(?:ya?ml|[ct]sv|tab|psv)$/i;

/** Whether numbers are those of a table, by the file; an arrow or a number of fixed width is written by none. */
export function isColumn({ style }: NumberedRun, path: string): boolean {
  return style.pad === "" && style.separator !== "→" && COLUMNS.test(path);
}

/** The lines of the run without their numbers. O(n). */
export function withoutNumbers(text: string, run: NumberedRun): string {
  return mapLines(text, run, () => "");
}

/** The lines of the run, each behind what `prefix` makes of its number instead of the number. */
export function mapLines(
  text: string,
  { style, first, starts, end }: NumberedRun,
  prefix: (number: number) => string,
): string {
  const parts: string[] = [];
  for (let i = 0; i + 1 < starts.length; i++) {
    const number = first + i;
    const from = offsetAt(starts, i) + prefixOf(style, number).length;
    parts.push(
      prefix(number),
      text.slice(from, Math.min(end, offsetAt(starts, i + 1))),
    );
  }
  return parts.join("");
}

/** Puts the numbers back before the lines of `text`. */
export function withNumbers(
  text: string,
  style: NumberStyle,
  first: number,
): string {
  return text.split("\n")
    .map((line, i) => prefixOf(style, first + i) + line).join("\n");
}
