/**
 * What the words of a line say: failure, warning, totals. Words are looked at, not
 * substrings, and a word that counts nothing (`0 errors`, `failures=0`, `no errors`) or is
 * part of a name (`test_error_handling`, `thiserror`, `/api/error`) does not make a failure.
 * @module
 */
import { indexLines, type Lines } from "./lines.ts";
import {
  DIGIT,
  hashOf,
  KINDS,
  LOWER,
  OTHER,
  UPPER,
  wordHash,
  WordTable,
} from "./words.ts";

/** The line reports a failure. */
export const ERROR = 1;
/** The line reports something to look at. */
export const WARNING = 2;
/** The line holds a total, a result or an exit code. */
export const SUMMARY = 4;
/** The line names something that failed: `FAILED`, `FAIL`. */
export const FAILED = 8;
/** The line says that something passed. */
export const PASSED = 16;

const W_ERROR = 1;
const W_WARNING = 2;
const W_COUNTED = 3;
const W_EXIT = 4;
const W_HTTP = 5;
const W_FAIL = 6;
const W_PASS = 7;
const W_ERR = 8;
const W_SERVER_ERROR = 9;

const WORDS = new WordTable([
  ...pairs(
    W_ERROR,
    "error errors exception exceptions failing failure failures fatal critical crash crashed crashes panic panicked " +
      "abort aborted aborting timeout denied rejected refused traceback segfault segmentation unhandled uncaught " +
      "killed oom cannot unable corrupt corrupted severe emergency deadlock violation unauthorized forbidden " +
      "mismatch unreachable unresolved unexpected invalid missing conflict",
  ),
  ...pairs(W_FAIL, "fail failed fails"),
  ...pairs(W_WARNING, "warn warning warnings deprecated"),
  ...pairs(
    W_COUNTED,
    "tests test suites total skipped passing pending vulnerabilities problems ignored todo",
  ),
  ...pairs(W_EXIT, "exit exited returncode exitcode"),
  ...pairs(W_HTTP, "get post put delete patch options http https status"),
  ...pairs(W_PASS, "pass passed ok"),
  ...pairs(W_ERR, "err"),
  ...pairs(W_SERVER_ERROR, "500 501 502 503 504 505 507 508 511"),
]);
const NO = wordHash("no");
const WITHOUT = wordHash("without");

const NOTHING = /(?:<?nil>?|null|none|false|"")(?![\w-])/iy;

const UNIT = /\s(?:[kKMGT]i?)?(?:B|bytes?|m?s|rows|lines)\b/y;

const SPACE = 32;
const OPEN = 40;
const DASH = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const EQUALS = 61;
const BACKSLASH = 92;
const UNDERSCORE = 95;

/** Flags of each line. O(n). */
export function severities(lines: Lines): Uint8Array {
  const flags = new Uint8Array(lines.count);
  const { text, codes, starts } = lines;
  const found = { codes, text, part: 0, stop: 0, start: 0, end: 0 };
  let line = -1;
  let http = false;
  WORDS.find(codes, (word, part, stop) => {
    if (part >= found.end) {
      do line++; while (starts[line + 1]! <= part);
      found.start = starts[line]!;
      found.end = starts[line + 1]! - 1;
      http = false;
    }
    if (word === W_HTTP) {
      http = true;
      return;
    }
    found.part = part;
    found.stop = stop;
    flags[line]! |= flagsOf(word, found, http);
  });
  return flags;
}

/** Flags of one line. */
export function severityOf(line: string): number {
  return severities(indexLines(line))[0] ?? 0;
}

function isLetter(code: number): boolean {
  const kind = KINDS[code]!;
  return kind !== OTHER && kind !== DIGIT;
}

/** A word that is in the table, and where it stands. */
interface Found {
  readonly codes: Uint8Array;
  /** For patterns. */
  readonly text: string;
  /** Start of the word. */
  readonly part: number;
  /** End of the word. */
  readonly stop: number;
  /** Start of the line. */
  readonly start: number;
  /** End of the line. */
  readonly end: number;
}

function flagsOf(word: number, found: Found, http: boolean): number {
  if (word === W_SERVER_ERROR) {
    return http && standsAlone(found) ? ERROR : 0;
  }
  if (word === W_EXIT) return exitFlags(found);
  const count = countOf(found);
  const counted = count === undefined ? 0 : SUMMARY;
  if (word === W_COUNTED) return counted;
  if (word === W_PASS) return counted | (isVerdict(found) ? PASSED : 0);
  if (count === 0) return counted;
  if (isNegated(found) || (count === undefined && isNamePart(found))) return 0;
  if (word === W_WARNING) return counted | WARNING;
  if (word === W_ERR) return isErr(found) ? ERROR : 0;
  if (word === W_FAIL) {
    const second = found.codes[found.part + 1]!;
    return counted | ERROR | (second === 65 ? FAILED : 0);
  }
  return counted | ERROR;
}

/** `no` or `without` stands right before. */
function isNegated({ codes, part, start }: Found): boolean {
  if (part - 3 < start || codes[part - 1]! !== SPACE) return false;
  let first = part - 1;
  while (first > start && isLetter(codes[first - 1]!)) first--;
  const hash = hashOf(codes, first, part - 1);
  return hash === NO || hash === WITHOUT;
}

/** `PASS`, `PASSED`; `ok` at an end of the line. */
function isVerdict({ codes, part, stop, start, end }: Found): boolean {
  if (stop - part === 2) return part === start || stop === end;
  return KINDS[codes[part + 1]!] === UPPER;
}

/** `err=…`, `err: …`, `ERR!`. */
function isErr({ codes, stop, end }: Found): boolean {
  const next = stop < end ? codes[stop]! : 0;
  return next === EQUALS || next === COLON || next === 33;
}

/** An exit code within a few characters: always kept, a failure unless it is 0. */
function exitFlags({ codes, stop, end }: Found): number {
  const limit = Math.min(end, stop + 24);
  for (let i = stop; i < limit; i++) {
    if (KINDS[codes[i]!]! !== DIGIT) continue;
    return SUMMARY | (numberAt(codes, i, end) === 0 ? 0 : ERROR);
  }
  return 0;
}

/** The number that the word counts: `3 failed`, `failed: 3`, `failed=3`, `error_count: 3`. */
function countOf(
  { text, codes, part, stop, start, end }: Found,
): number | undefined {
  let before = part - 1;
  if (before > start && codes[before]! === SPACE) {
    before--;
    let first = before + 1;
    while (first > start && KINDS[codes[first - 1]!]! === DIGIT) {
      first--;
    }
    if (first <= before && !isInName(codes, first - 1, start)) {
      return numberAt(codes, first, end);
    }
  }
  let after = stop;
  while (
    after < end && (codes[after]! === UNDERSCORE ||
      (after > stop && KINDS[codes[after]!]! === LOWER))
  ) after++;
  if (after < end && codes[after]! === 34) after++;
  const sign = after < end ? codes[after]! : 0;
  if (sign !== COLON && sign !== EQUALS) return undefined;
  after++;
  while (after < end && codes[after]! === SPACE) after++;
  if (isNothing(text, after, end)) return 0;
  if (after >= end || KINDS[codes[after]!]! !== DIGIT) {
    return undefined;
  }
  const stopDigits = digitsEnd(codes, after, end);
  if (stopDigits < end && isInName(codes, stopDigits, start)) return undefined;
  return numberAt(codes, after, end);
}

/** `null`, `nil`, `none`, `false`, `""`: a value that says there was none. */
function isNothing(text: string, at: number, end: number): boolean {
  NOTHING.lastIndex = at;
  return at < end && NOTHING.test(text);
}

/** Whether a character next to a number makes it part of something longer: `1.0`, `0x1f`, `a0`. */
function isInName(codes: Uint8Array, at: number, start: number): boolean {
  if (at < start) return false;
  const code = codes[at]!;
  if (code === DOT) return KINDS[codes[at + 1]!]! !== OTHER;
  return code === UNDERSCORE || code === SLASH || code === COLON ||
    (KINDS[code]! !== OTHER && KINDS[code]! !== DIGIT);
}

/** Whether the word is a piece of an identifier, path or option and not said as such. */
function isNamePart({ codes, part, stop, start, end }: Found): boolean {
  const next = stop < end ? codes[stop]! : SPACE;
  const before = part > start ? codes[part - 1]! : SPACE;
  if (isLetter(next)) return true;
  if (isLetter(before)) {
    return next !== COLON && stop < end && next !== OPEN;
  }
  if (next === COLON) return isDoubleColon(codes, stop, end);
  if (isJoint(before)) return true;
  return isJoint(next) && stop + 1 < end && KINDS[codes[stop + 1]!] !== OTHER;
}

function isDoubleColon(codes: Uint8Array, at: number, end: number): boolean {
  return at + 1 < end && codes[at + 1]! === COLON;
}

function isJoint(code: number): boolean {
  return code === UNDERSCORE || code === SLASH || code === DASH ||
    code === DOT || code === BACKSLASH || KINDS[code]! === DIGIT;
}

/** Whether a number is no piece of something longer and no amount. */
function standsAlone({ text, codes, part, stop, start, end }: Found): boolean {
  UNIT.lastIndex = stop;
  if (UNIT.test(text)) return false;
  const before = part > start ? codes[part - 1]! : SPACE;
  const next = stop < end ? codes[stop]! : SPACE;
  return !isJoint(before) && !isLetter(before) && next !== DOT &&
    next !== UNDERSCORE && KINDS[next] === OTHER;
}

function digitsEnd(codes: Uint8Array, at: number, end: number): number {
  let stop = at + 1;
  while (stop < end && KINDS[codes[stop]!]! === DIGIT) stop++;
  return stop;
}

/** Value of the digits at `at`, cut at 6 digits: only zero or not matters. */
function numberAt(codes: Uint8Array, at: number, end: number): number {
  const stop = Math.min(digitsEnd(codes, at, end), at + 6);
  return Number(String.fromCharCode(...codes.subarray(at, stop)));
}

function pairs(value: number, words: string): [string, number][] {
  return words.split(" ").map((word) => [word, value]);
}
