/** How much lines look like TOML, INI, properties or environment files. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { endsAsCode, isKey, isSentence, lastOf } from "./line_look.ts";
import {
  BLANK,
  COMMENT,
  KEY,
  type LineScan,
  newScan,
  scanLine,
  SECTION,
} from "./scan_line.ts";

/** Counts over lines that are neither blank nor comments. */
export interface PairCounts {
  lines: number;
  /** Comments that are settings switched off: `#port = 5432`. */
  switchedOff: number;
  /** Keys with `=`. */
  keys: number;
  /** Keys that no variable of a program has: with a dot or a dash, or with no blank before the sign. */
  plain: number;
  sections: number;
  /** Lines of a value that began above. */
  continued: number;
  /** Lines that only code, documents or logs have. */
  foreign: number;
}

/** Share of lines that are keys, sections or continued. */
const KNOWN = 0.9;
const KNOWN_BY_PATH = 0.6;
/** Share of lines that may be foreign. */
const FOREIGN = 0.05;
const FOREIGN_BY_PATH = 0.25;
/** Keys there must be: with sections, and without. */
const KEYS_IN_SECTIONS = 2;
const KEYS_ALONE = 5;
/** Settings switched off that show a configuration, however few are on. */
const SWITCHED_OFF = 5;
/** Share of keys that must be plain where there are no sections. */
const PLAIN = 0.4;
const HEADER =
  /^\[{1,2}["'\w.*$@/~:!-][^[\]]{0,100}\]{1,2}\s*(?:[#;].*)?$|^\[{1,2}\w\]{1,2}$|^\[[^\]\s,]*\[[^\]]*\][^\]\s]*\]$/;
/** More pairs in a value: a line of a log. */
const MORE_PAIRS = /^\S+ \w+=\S/;
/** Longest line that is looked at as a whole, in UTF-16 units. */
const LOOKED_AT = 200;

const SPACE = 32;
const DASH = 45;
const DOT = 46;
const EQUALS = 61;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const BACKSLASH = 92;
const UNDERSCORE = 95;

/** Zero of everything. */
export function noPairs(): PairCounts {
  return {
    lines: 0,
    switchedOff: 0,
    keys: 0,
    plain: 0,
    sections: 0,
    continued: 0,
    foreign: 0,
  };
}

/** Foreign lines that a text of so many lines may have. */
export function mostForeign(lines: number, byPath: boolean): number {
  return (byPath ? FOREIGN_BY_PATH : FOREIGN) * lines;
}

/**
 * Adds the lines of one part of a text to the counts. O(n).
 *
 * @param most Foreign lines after which nothing more is counted. @returns Whether there were no more than these.
 */
export function countPairs(
  lines: Lines,
  counts: PairCounts,
  most = Infinity,
): boolean {
  const scan = newScan();
  let inBracket = false;
  let afterKey = false;
  /** Indent of a key above whose value stands below it. */
  let empty = Infinity;
  for (let line = 0; line < lines.count && counts.foreign <= most; line++) {
    scanLine(lines, { line, equals: true }, scan);
    const { kind } = scan;
    if (kind === COMMENT && isSwitchedOff(lines, scan)) counts.switchedOff++;
    if (kind === BLANK || kind === COMMENT) continue;
    counts.lines++;
    if (inBracket) {
      counts.continued++;
      inBracket = lines.codes[scan.keyAt] !== CLOSE_BRACKET;
    } else if (scan.indent > empty) counts.continued++;
    else if (kind === SECTION) {
      empty = Infinity;
      if (HEADER.test(lineAt(lines, line).slice(0, LOOKED_AT).trim())) {
        counts.sections++;
      } else counts.foreign++;
    } else if (kind === KEY) {
      countKey(lines, line, scan, counts);
      afterKey = true;
      empty = scan.valueAt >= lines.starts[line + 1]! - 1
        ? scan.indent
        : Infinity;
      inBracket = lastOf(lines, line) === OPEN_BRACKET;
    } else if (afterKey && scan.indent > 0 && !endsAsCode(lines, line)) {
      counts.continued++;
    } else counts.foreign++;
  }
  return counts.foreign <= most;
}

/** A key and `=` right behind the sign of the comment. */
function isSwitchedOff({ codes }: Lines, { keyAt }: LineScan): boolean {
  let at = keyAt + 1;
  while (isNamePart(codes[at]!)) at++;
  const isNamed = at > keyAt + 2;
  while (codes[at] === SPACE) at++;
  return isNamed && codes[at] === EQUALS && codes[at + 1] !== EQUALS;
}

function isNamePart(code: number): boolean {
  const letter = code | 32;
  return letter >= 97 && letter <= 122 || code === UNDERSCORE ||
    code === DOT || code === DASH || code >= 48 && code <= 57;
}

function countKey(
  lines: Lines,
  line: number,
  scan: LineScan,
  counts: PairCounts,
): void {
  const { codes, starts } = lines;
  const end = starts[line + 1]! - 1;
  const last = lastOf(lines, line);
  const isSplit = last === BACKSLASH;
  const bad = !isKey(lines, scan) || endsAsCode(lines, line) && !isSplit ||
    isSentence(codes, scan.valueAt, end) && codes[scan.keyEnd] === SPACE ||
    holdsMorePairs(lines, scan.valueAt, end);
  if (bad) {
    counts.foreign++;
    return;
  }
  let sign = scan.keyEnd;
  while (codes[sign]! <= SPACE) sign++;
  if (codes[sign] !== EQUALS) return;
  if (codes[sign + 1] === EQUALS || isOperator(codes[sign - 1]!)) {
    counts.foreign++;
    return;
  }
  counts.keys++;
  if (sign === scan.keyEnd || hasJoint(codes, scan.keyAt, scan.keyEnd)) {
    counts.plain++;
  }
}

/** `!=`, `>=`, `+=`, `:=` and the like are no signs of a pair. */
function isOperator(code: number): boolean {
  return code === 33 || code === 37 || code === 42 || code === 43 ||
    code === 45 || code === 58 || code === 60 || code === 62 || code === 126;
}

function holdsMorePairs({ text, codes }: Lines, from: number, to: number) {
  const end = Math.min(to, from + LOOKED_AT);
  for (let at = from; at < end; at++) {
    if (codes[at] === EQUALS) return MORE_PAIRS.test(text.slice(from, end));
  }
  return false;
}

function hasJoint(codes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (codes[at] === DOT || codes[at] === DASH) return true;
  }
  return false;
}

/** Whether the counts are those of a file of sections or of pairs. @param byPath Whether the name of the file says so. */
export function isPairs(counts: PairCounts, byPath: boolean): boolean {
  const { lines, keys, sections, continued, plain, foreign } = counts;
  if (counts.switchedOff >= SWITCHED_OFF && foreign === 0) return true;
  if (foreign > mostForeign(lines, byPath)) return false;
  const known = keys + sections + continued;
  if (known < (byPath ? KNOWN_BY_PATH : KNOWN) * lines) return false;
  if (byPath) return keys > 0;
  if (sections > 0) return keys >= KEYS_IN_SECTIONS;
  return keys >= KEYS_ALONE && plain >= PLAIN * keys;
}
