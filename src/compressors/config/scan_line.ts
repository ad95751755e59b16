/** What one line of a configuration file is: key, list item, section, comment. Looks at no other line. @module */
import type { Lines } from "../../text/lines.ts";

/** Blanks only. */
export const BLANK = 0;
/** Starts with `#` or `;`. */
export const COMMENT = 1;
/** `[name]` or `[[name]]`. */
export const SECTION = 2;
/** `---` or `...`. */
export const SEPARATOR = 3;
/** A key with a value. */
export const KEY = 4;
/** A key whose value stands below it. */
export const OPEN = 5;
/** A list item without a key. */
export const ITEM = 6;
/** Anything else: text, a continued value. */
export const TEXT = 7;

/** One line, read. Offsets are those of the whole text. */
export interface LineScan {
  /** `BLANK` to `TEXT`. */
  kind: number;
  /** Blanks before the first character. */
  indent: number;
  /** Whether it starts with `- `. */
  dash: boolean;
  /** Start of the key, or of what an item or a text says. */
  keyAt: number;
  /** End of the key; `keyAt` without one. */
  keyEnd: number;
  /** Start of the value; the end of the line without one. */
  valueAt: number;
}

/** Longest key that is looked for, in UTF-16 units. */
const LONGEST_KEY = 200;

const TAB = 9;
const RETURN = 13;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const HASH = 35;
const SINGLE_QUOTE = 39;
const DASH = 45;
const DOT = 46;
const COLON = 58;
const SEMICOLON = 59;
const EQUALS = 61;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const BACKSLASH = 92;
const OPEN_BRACE = 123;

/** An empty scan, to be filled by {@linkcode scanLine} again and again. */
export function newScan(): LineScan {
  return {
    kind: BLANK,
    indent: 0,
    dash: false,
    keyAt: 0,
    keyEnd: 0,
    valueAt: 0,
  };
}

/**
 * Reads one line into `scan`. O(key).
 *
 * @param at Which line, and whether `=` ends a key: else only a colon before a blank does, and there are no sections.
 */
export function scanLine(
  lines: Pick<Lines, "codes" | "starts">,
  at: { readonly line: number; readonly equals: boolean },
  scan: LineScan,
): void {
  const { codes, starts } = lines;
  const start = starts[at.line]!;
  let end = starts[at.line + 1]! - 1;
  if (end > start && codes[end - 1] === RETURN) end--;
  let from = start;
  while (from < end && (codes[from] === SPACE || codes[from] === TAB)) from++;
  scan.indent = from - start;
  scan.dash = false;
  scan.keyAt = scan.keyEnd = from;
  scan.valueAt = end;
  const first = codes[from]!;
  if (from >= end) scan.kind = BLANK;
  else if (first === HASH || first === SEMICOLON) scan.kind = COMMENT;
  else if (first === OPEN_BRACKET && at.equals && endsSection(codes, end)) {
    scan.kind = SECTION;
    scan.keyAt = from;
    scan.keyEnd = end;
  } else if (from === start && isRule(codes, from, end)) scan.kind = SEPARATOR;
  else scanEntry(codes, end, at.equals, scan);
}

/** The line ends with `]`, or is cut there by a comment. */
function endsSection(codes: Uint8Array, end: number): boolean {
  let at = end;
  while (codes[at - 1] === SPACE) at--;
  return codes[at - 1] === CLOSE_BRACKET;
}

/** `---` or `...`, alone or before a blank. */
function isRule(codes: Uint8Array, from: number, end: number): boolean {
  const first = codes[from];
  return (first === DASH || first === DOT) && codes[from + 1] === first &&
    codes[from + 2] === first && from + 3 <= end &&
    (from + 3 === end || codes[from + 3] === SPACE);
}

function scanEntry(
  codes: Uint8Array,
  end: number,
  equals: boolean,
  scan: LineScan,
): void {
  let from = scan.keyAt;
  while (!equals && codes[from] === DASH) {
    if (from + 1 < end && codes[from + 1] !== SPACE) break;
    scan.dash = true;
    from++;
    while (from < end && codes[from] === SPACE) from++;
  }
  scan.keyAt = scan.keyEnd = from;
  const stop = from < end ? keyEnd(codes, from, end, equals) : -1;
  if (stop < 0) {
    scan.kind = scan.dash ? ITEM : TEXT;
    scan.valueAt = from;
    return;
  }
  let value = stop;
  while (codes[value] === SPACE || codes[value] === TAB) value++;
  value++;
  while (value < end && (codes[value] === SPACE || codes[value] === TAB)) {
    value++;
  }
  scan.keyEnd = stop;
  scan.valueAt = value;
  // An empty value after `=` is a value; after a colon it stands below.
  const isOpen = codes[value - 1] !== EQUALS &&
    (value >= end || codes[value] === HASH && codes[value - 1] === SPACE);
  scan.kind = isOpen && !equals ? OPEN : KEY;
}

/** Where the key that starts at `from` ends; -1 when there is none. */
function keyEnd(
  codes: Uint8Array,
  from: number,
  end: number,
  equals: boolean,
): number {
  const first = codes[from]!;
  if (first === OPEN_BRACKET || first === OPEN_BRACE) return -1;
  const limit = Math.min(end, from + LONGEST_KEY);
  let at = from;
  if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) {
    at++;
    while (at < limit && codes[at] !== first) {
      at += codes[at] === BACKSLASH && first === DOUBLE_QUOTE ? 2 : 1;
    }
    at++;
  }
  for (; at < limit; at++) {
    const code = codes[at]!;
    if (equals ? isSign(codes, at, end) : isColon(codes, at, end)) {
      let stop = at;
      while (stop > from && codes[stop - 1]! <= SPACE) stop--;
      return stop > from ? stop : -1;
    }
    if (code === HASH && codes[at - 1] === SPACE) return -1;
  }
  return -1;
}

function isColon(codes: Uint8Array, at: number, end: number): boolean {
  return codes[at] === COLON && (at + 1 >= end || codes[at + 1]! <= SPACE);
}

function isSign(codes: Uint8Array, at: number, end: number): boolean {
  return codes[at] === EQUALS || isColon(codes, at, end);
}
