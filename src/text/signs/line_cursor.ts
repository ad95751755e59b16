/** Reading numbers, signs and words at a place of a line. @module */
import { matches } from "../sticky.ts";
import { DIGIT, isDigit, KINDS, OTHER } from "../words.ts";

const TAB = 9;
const SPACE = 32;
const QUOTE = 34;
const PERCENT = 37;
const APOSTROPHE = 39;
const OPEN = 40;
const DASH = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const EQUALS = 61;
const GREATER = 62;
const BRACKET = 91;
const BACKSLASH = 92;
const UNDERSCORE = 95;

/** Follows numbers that are amounts. */
const UNIT =
  /\s(?:(?:(?:[kKMGT]i?)?B|[nuµm]?s|%|px)\b|(?:bytes?|rows?|lines?|items?|files?|records?|entries|messages?|tokens?|requests?|times|objects?|results?|keys?|points?|seconds?|minutes?|characters?|chars)\b)(?![=:])/y;
const NOTHING = /(?:<?nil>?|null|none|false|""|''|\[\]|-(?=\s|$))(?![\w-])/iy;
/** Digits of a number that are read. */
const MOST_DIGITS = 9;

/** Whether a byte is a letter. */
export function isLetter(code: number): boolean {
  const kind = KINDS[code]!;
  return kind !== OTHER && kind !== DIGIT;
}

/** Whether a byte is a blank or a tabulator. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** Whether a byte joins words to names and paths. */
export function isJoint(code: number): boolean {
  return code === UNDERSCORE || code === SLASH || code === DASH ||
    code === DOT || code === BACKSLASH || KINDS[code]! === DIGIT;
}

/** End of the digits that start at `at`. */
export function digitsEnd(codes: Uint8Array, at: number, end: number): number {
  let stop = at;
  while (stop < end && KINDS[codes[stop]!]! === DIGIT) stop++;
  return stop;
}

/** Value of the digits at `at`, of the first nine of them; 0 where there are none. */
export function numberAt(codes: Uint8Array, at: number, end: number): number {
  let value = 0;
  const most = Math.min(end, at + MOST_DIGITS);
  for (let i = at; i < most && KINDS[codes[i]!]! === DIGIT; i++) {
    value = 10 * value + codes[i]! - 48;
  }
  return value;
}

/**
 * Start of the value of a key that ends at `at`: behind `=`, `:`, `=>`, a closing quote and blanks.
 *
 * @returns -1 where no value is given with a sign.
 */
export function valueStart(codes: Uint8Array, at: number, end: number): number {
  let i = at;
  if (codes[i] === BACKSLASH) i++;
  if (codes[i] === QUOTE || codes[i] === APOSTROPHE) i++;
  if (codes[i] === SPACE) i++;
  const sign = codes[i];
  if (i >= end || (sign !== EQUALS && sign !== COLON)) return -1;
  i++;
  if (codes[i] === GREATER || codes[i] === EQUALS) i++;
  return contentStart(codes, i, end);
}

/** Start of what follows blanks, quotes and brackets. */
export function contentStart(
  codes: Uint8Array,
  at: number,
  end: number,
): number {
  let i = at;
  while (i < end && isBlank(codes[i]!)) i++;
  while (i < end && isOpening(codes[i]!)) i++;
  return i < end ? i : -1;
}

function isOpening(code: number): boolean {
  return code === QUOTE || code === APOSTROPHE || code === OPEN ||
    code === BRACKET || code === BACKSLASH;
}

/** Whether the digits that end at `stop` end a whole number: not `503ms`, `503.5`, `503_a`. */
export function endsNumber(
  codes: Uint8Array,
  stop: number,
  end: number,
): boolean {
  if (stop >= end) return true;
  const next = codes[stop]!;
  if (KINDS[next]! !== OTHER || next === UNDERSCORE) return false;
  if (next === DOT || next === DASH || next === SLASH || next === COLON) {
    const after = stop + 1 < end ? codes[stop + 1]! : SPACE;
    if (next === SLASH || KINDS[after]! !== OTHER) return false;
  }
  return next !== PERCENT;
}

/** Whether a unit follows a number that ends at `stop`: `503 bytes`, `503 ms`. */
export function isAmount(text: string, stop: number): boolean {
  // Mostly another number follows.
  const next = text.charCodeAt(stop + 1);
  if (isDigit(next)) return false;
  return matches(UNIT, text, stop);
}

/** `null`, `nil`, `none`, `false`, `""`: a value that says that there was none. */
export function isNothing(text: string, at: number, end: number): boolean {
  return at < end && matches(NOTHING, text, at);
}

/** Whether a byte next to a number makes it part of something longer: `1.0`, `0x1f`, `a0`. */
export function isInName(
  codes: Uint8Array,
  at: number,
  start: number,
): boolean {
  if (at < start) return false;
  const code = codes[at]!;
  if (code === DOT) return KINDS[codes[at + 1]!]! !== OTHER;
  return code === UNDERSCORE || code === SLASH || code === COLON ||
    isLetter(code);
}
