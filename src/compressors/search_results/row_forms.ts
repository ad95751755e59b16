/** The forms of one line of search results. Offsets are UTF-16 units of the text. @module */
import type { Lines } from "../../text/lines.ts";

/** UTF-16 units in which the line number is looked for. */
const HEAD = 300;

const TAB = 9;
const QUOTE = 34;
const DASH = 45;
const COLON = 58;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const OPEN = 91;
const DATE = /^\d{4}-\d\d-\d\d/;

/** Offset of the number in `path:12:text`; 0 when the line is not of that form. */
export function matchAt({ codes, starts, text }: Lines, line: number): number {
  const start = starts[line]!;
  const end = Math.min(starts[line + 1]! - 1, start + HEAD);
  for (let at = start; at < end; at++) {
    const code = codes[at]!;
    if (code === COLON && at > start) {
      const stop = digitsEnd(codes, at + 1, end);
      if (stop > at + 1 && stop < end && codes[stop] === COLON) {
        return isPath(text, start, at) ? at + 1 : 0;
      }
    } else if (
      code === QUOTE || code === LESS || code === GREATER || code === EQUALS ||
      code === TAB
    ) return 0;
  }
  return 0;
}

/** Not a time, a number or a bracketed level. */
function isPath(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start) | 32;
  const last = text.charCodeAt(end - 1) | 32;
  // Nearly every path starts with a dot, a slash or a letter and ends with a letter, and no time does.
  if (first >= 97 && first <= 122 && last >= 97 && last <= 122) return true;
  const path = text.slice(start, end);
  if (path.charCodeAt(0) === OPEN || DATE.test(path)) return false;
  return /[A-Za-z_]/.test(path) && !/^[A-Z][a-z]{2} [ \d]\d \d\d$/.test(path);
}

/** Offset after the mark of `12:` or `12-` at `at`; 0 when there is none. */
export function bodyEnd(
  { codes, starts }: Lines,
  line: number,
  at: number,
): number {
  const end = starts[line + 1]! - 1;
  const stop = digitsEnd(codes, at, Math.min(end, at + 9));
  if (stop === at || stop >= end) return 0;
  return codes[stop] === COLON || codes[stop] === DASH ? stop + 1 : 0;
}

/** Offset of the number if the line is context of the same path, of `length` units, as the row before; else 0. */
export function nextContextAt(
  { codes, starts }: Lines,
  line: number,
  length: number,
): number {
  if (length === 0) return 0;
  const start = starts[line]!;
  const at = start + length + 1;
  const end = starts[line + 1]! - 1;
  if (at >= end || codes[at - 1] !== DASH) return 0;
  const stop = digitsEnd(codes, at, end);
  if (stop === at || stop >= end || codes[stop] !== DASH) return 0;
  const before = starts[line - 1]!;
  let n = 0;
  while (n < length && codes[before + n] === codes[start + n]) {
    if (codes[start + n]! > 127) return 0;
    n++;
  }
  return n === length ? at : 0;
}

/** `--`, between groups of context. */
export function isSeparator({ codes, starts }: Lines, line: number): boolean {
  const start = starts[line]!;
  return starts[line + 1]! - 1 - start === 2 && codes[start] === DASH &&
    codes[start + 1] === DASH;
}

/** End of the digits at `at`; `at` itself when there are none. */
export function digitsEnd(codes: Uint8Array, at: number, end: number): number {
  let stop = at;
  while (stop < end && codes[stop]! >= 48 && codes[stop]! <= 57) stop++;
  return stop;
}
