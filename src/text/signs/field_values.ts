/** Values of keys that are read where they are: result codes, levels, tests that were not run. @module */
import { DIGIT, KINDS, UPPER } from "../words.ts";
import { ERROR, SUMMARY, WARNING } from "./flags.ts";
import {
  contentStart,
  digitsEnd,
  isBlank,
  isLetter,
  numberAt,
  valueStart,
} from "./line_cursor.ts";
import { countOf, type Found, isAlone, isCapital } from "./word_place.ts";

const BANG = 33;
const HASH = 35;
const DASH = 45;
const DOT = 46;
const ZERO = 48;
const COLON = 58;
const EQUALS = 61;
const GREATER = 62;
const CAPITAL_E = 69;
const CAPITAL_F = 70;
const CAPITAL_K = 75;
const CAPITAL_O = 79;
const CAPITAL_W = 87;
const UNDERSCORE = 95;
const SMALL_E = 101;
const SMALL_S = 115;
const SMALL_X = 120;
/** Letters of `errno`, and of `err` and `eror`. */
const ERRNO = 5;
const LONGEST_ERR = 4;

/** The code behind `rc`, `errno` or a key like them; `undefined` where none is given. A hexadecimal one is 0 or 1. */
export function resultCode(found: Found): number | undefined {
  const { codes, part, stop, end } = found;
  if ((codes[stop - 1]! | 32) === SMALL_S) return undefined;
  let at = valueStart(codes, stop, end);
  if (at < 0 && stop - part === ERRNO && isBlank(codes[stop]!)) {
    at = contentStart(codes, stop, end);
  }
  if (at < 0) return undefined;
  const sign = codes[at] === DASH ? -1 : 1;
  if (sign < 0) at++;
  if (at >= end || KINDS[codes[at]!] !== DIGIT) return undefined;
  const isHex = codes[at] === ZERO && (codes[at + 1]! | 32) === SMALL_X;
  if (isHex) return isZeroHex(codes, at + 2, end) ? 0 : 1;
  const stopDigits = digitsEnd(codes, at, end);
  const isMore = stopDigits < end && isLetter(codes[stopDigits]!);
  if (isMore) return undefined;
  return sign * numberAt(codes, at, stopDigits);
}

function isZeroHex(codes: Uint8Array, at: number, end: number): boolean {
  let stop = at;
  while (stop < end && codes[stop] === ZERO) stop++;
  const next = stop < end ? codes[stop]! | 32 : 0;
  const isDigit = (next >= 97 && next <= 102) ||
    (stop < end && KINDS[codes[stop]!] === DIGIT);
  return !isDigit;
}

/** Whether a word is a level that means failure: `ERR`, `[err]`, `ERR!`, `err=…`. */
export function isLevel(found: Found): boolean {
  const { codes, part, stop, start, end } = found;
  const next = stop < end ? codes[stop]! : 0;
  if (countOf(found)?.value === 0) return false;
  if (isCapital(found)) {
    const isCode = next === UNDERSCORE && KINDS[codes[stop + 1]!] === UPPER;
    if (isAlone(found) || next === BANG || isCode) return true;
  }
  const isErr = stop - part <= LONGEST_ERR && (codes[part]! | 32) === SMALL_E;
  const isSigned = next === EQUALS || next === COLON || next === BANG;
  if (isErr && isSigned) return true;
  return part > start && isBracket(codes[part - 1]!) && isBracket(next);
}

/** The flags of a level that is one letter, as in `level=E`; `undefined` for no such level. */
export function letterLevel(codes: Uint8Array, at: number): number | undefined {
  const letter = codes[at]!;
  if (KINDS[letter] !== UPPER || isLetter(codes[at + 1] ?? 0)) return undefined;
  if (letter === CAPITAL_E || letter === CAPITAL_F) return ERROR;
  return letter === CAPITAL_W ? WARNING : 0;
}

/** A test that was not run, and how many were not. */
export function skipFlags(found: Found): number {
  const { codes, part } = found;
  if (countOf(found)?.value) return SUMMARY;
  // Gradle: a task that was skipped is a step, and no test.
  if (!isAlone(found) || codes[found.start] === GREATER) return 0;
  const before = codes[part - 2] ?? 0;
  const isBehind = isBlank(codes[part - 1] ?? 0) &&
    (before === DOT || before === HASH);
  return isCapital(found) || isBehind ? SUMMARY : 0;
}

/** Whether a number follows a word that is the name of a limit, as in `timeout 30s`. */
export function isSet({ codes, stop, end }: Found): boolean {
  const at = isBlank(codes[stop]!) ? stop + 1 : valueStart(codes, stop, end);
  return at >= 0 && KINDS[codes[at]!] === DIGIT;
}

/** Whether a value is `KO` and nothing more. */
export function isKo(codes: Uint8Array, at: number, end: number): boolean {
  return at + 1 < end && codes[at] === CAPITAL_K &&
    codes[at + 1] === CAPITAL_O &&
    (at + 2 >= end || !isLetter(codes[at + 2]!));
}

/** `[`, `]`, `<`, `>`, `|`, `(`, `)`. */
function isBracket(code: number): boolean {
  return code === 91 || code === 93 || code === 60 || code === 62 ||
    code === 124 || code === 40 || code === 41;
}
