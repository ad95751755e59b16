/** Whether a word of a line is said, counted, negated, or only a part of a name. @module */
import {
  DIGIT,
  hashOf,
  KINDS,
  LOWER,
  OTHER,
  UPPER,
  wordHash,
} from "../words.ts";
import {
  digitsEnd,
  isInName,
  isJoint,
  isLetter,
  isNothing,
  numberAt,
} from "./line_cursor.ts";
import type { Span } from "./requests.ts";
import { JOINED_STATES, LONGEST_STATE } from "./vocabulary.ts";

/** A word and its line. */
export interface Found extends Span {
  /** Offsets of the word. */
  part: number;
  stop: number;
}

/** A number that goes with a word. */
export interface Count {
  readonly value: number;
  /** Whether it is the value of a key, as in `errors=0`, and not said in a sentence. */
  readonly isField: boolean;
}

const SPACE = 32;
const QUOTE = 34;
const OPEN = 40;
const COMMA = 44;
const SLASH = 47;
const COLON = 58;
const EQUALS = 61;
const UNDERSCORE = 95;
const NO = wordHash("no");
const WITHOUT = wordHash("without");

/** The number that the word counts: `3 failed`, `failed: 3`, `failed=3`, `error_count: 3`. */
export function countOf(found: Found): Count | undefined {
  const after = countAfter(found);
  // `took 12 failed=0`: a key counts by its own value.
  if (after?.isField) return after;
  const { codes, part, start, end } = found;
  let before = part - 1;
  if (before > start && codes[before]! === SPACE) {
    before--;
    let first = before + 1;
    while (first > start && KINDS[codes[first - 1]!]! === DIGIT) first--;
    const isValue = first > start && codes[first - 1] === EQUALS;
    const isCount = !isValue && !isInName(codes, first - 1, start) &&
      !isTime(codes, first - 1, start);
    if (first <= before && isCount) {
      return { value: numberAt(codes, first, end), isField: false };
    }
  }
  return after;
}

/** Whether a comma at a place is that of a time: `10:03:12,791`. */
function isTime(codes: Uint8Array, at: number, start: number): boolean {
  if (codes[at] !== COMMA) return false;
  let first = at;
  while (first > start && KINDS[codes[first - 1]!] === DIGIT) first--;
  return first < at && codes[first - 1] === COLON;
}

function countAfter(
  { text, codes, stop, start, end }: Found,
): Count | undefined {
  let after = nameEnd(codes, stop, end);
  const isName = after > stop;
  const isQuoted = after < end && codes[after]! === QUOTE;
  if (isQuoted) after++;
  const sign = after < end ? codes[after]! : 0;
  if (sign !== COLON && sign !== EQUALS) return undefined;
  const isField = isName || isQuoted || sign === EQUALS;
  do after++; while (after < end && codes[after]! === SPACE);
  if (isNothing(text, after, end)) return { value: 0, isField: true };
  if (after >= end || KINDS[codes[after]!]! !== DIGIT) return undefined;
  const stopDigits = digitsEnd(codes, after, end);
  if (stopDigits < end && isInName(codes, stopDigits, start)) return undefined;
  return { value: numberAt(codes, after, end), isField };
}

/** End of the small letters that underscores join to a word that ends at `stop`. */
function nameEnd(codes: Uint8Array, stop: number, end: number): number {
  let after = stop;
  while (
    after < end && (codes[after]! === UNDERSCORE ||
      (after > stop && KINDS[codes[after]!]! === LOWER))
  ) after++;
  return after;
}

/** `no` or `without` comes right before. */
export function isNegated({ codes, part, start }: Found): boolean {
  if (part - 3 < start || codes[part - 1]! !== SPACE) return false;
  let first = part - 1;
  while (first > start && isLetter(codes[first - 1]!)) first--;
  const hash = hashOf(codes, first, part - 1);
  return hash === NO || hash === WITHOUT;
}

/** Whether the word is a piece of an identifier, path or option and not said as such. */
export function isNamePart({ codes, part, stop, start, end }: Found): boolean {
  const next = stop < end ? codes[stop]! : SPACE;
  const before = part > start ? codes[part - 1]! : SPACE;
  if (isLetter(next)) return true;
  if (isLetter(before)) {
    return next !== COLON && stop < end && next !== OPEN;
  }
  if (next === COLON) return stop + 1 < end && codes[stop + 1] === COLON;
  if (isJoint(before)) return !isReason(codes, part);
  return isJoint(next) && stop + 1 < end && KINDS[codes[stop + 1]!] !== OTHER;
}

/** A word in capitals behind a number and a slash: `status=1/FAILURE`. */
function isReason(codes: Uint8Array, part: number): boolean {
  return codes[part - 1] === SLASH && KINDS[codes[part - 2] ?? 0] === DIGIT &&
    KINDS[codes[part]!] === UPPER && KINDS[codes[part + 1]!] === UPPER;
}

/** Whether no letter, digit or joint is on either side. */
export function isAlone({ codes, part, stop, start, end }: Found): boolean {
  const next = stop < end ? codes[stop]! : SPACE;
  const before = part > start ? codes[part - 1]! : SPACE;
  const isJoined = isJoint(next) && stop + 1 < end &&
    KINDS[codes[stop + 1]!] !== OTHER;
  return !isLetter(before) && !isLetter(next) && !isJoint(before) && !isJoined;
}

/** Whether the first two letters are capitals. */
export function isCapital({ codes, part }: Found): boolean {
  return KINDS[codes[part]!] === UPPER && KINDS[codes[part + 1]!] === UPPER;
}

/** `PASS`, `PASSED`; `ok` at an end of the line. */
export function isVerdict(
  { codes, part, stop, start, end }: Found,
): boolean {
  if (stop - part === 2) return part === start || stop === end;
  return KINDS[codes[part + 1]!] === UPPER;
}

/** Whether the letters around the word are a state in one word: `CrashLoopBackOff`. */
export function isJoinedState({ text, codes, part, stop }: Found): boolean {
  let from = part;
  let to = stop;
  const least = Math.max(0, part - LONGEST_STATE);
  const most = Math.min(codes.length, stop + LONGEST_STATE);
  while (from > least && isLetter(codes[from - 1]!)) from--;
  while (to < most && isLetter(codes[to]!)) to++;
  if (to - from === stop - part || to - from > LONGEST_STATE) return false;
  if (from > 0 && isJoint(codes[from - 1]!)) return false;
  if (to < codes.length && isJoint(codes[to]!) && codes[to] !== SLASH) {
    return false;
  }
  return JOINED_STATES.has(text.slice(from, to).toLowerCase());
}
