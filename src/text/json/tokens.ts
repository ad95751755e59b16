/** Ends of JSON strings, numbers, words and white space by the grammar of RFC 8259. @module */
import { isDigit } from "../words.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Offset after the closing quote of the string that opens at `start`;
 * negated when the string holds an escape, 0 when it is not valid.
 */
export function endOfString(text: string, start: number): number {
  const length = text.length;
  let escaped = false;
  for (let at = start + 1; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return escaped ? -at - 1 : at + 1;
    if (code < 0x20) return 0;
    if (code === BACKSLASH) {
      escaped = true;
      const skip = escapeLength(text, at + 1);
      if (skip === 0) return 0;
      at += skip;
    }
  }
  return 0;
}

/**
 * Offset after the closing quote of the string that opens at `start`.
 *
 * @throws {SyntaxError} If it is not a valid string.
 */
export function stringEnd(text: string, start: number): number {
  const end = text.charCodeAt(start) === QUOTE ? endOfString(text, start) : 0;
  if (end !== 0) return Math.abs(end);
  throw new SyntaxError(
    `Cannot read the string at offset ${start}: close its quote`,
  );
}

/** Characters of the escape after a backslash; 0 when it is not valid. */
export function escapeLength(text: string, at: number): number {
  switch (text.charCodeAt(at)) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return 1;
    case 0x75: // u
      for (let i = 1; i <= 4; i++) {
        if (!isHex(text.charCodeAt(at + i))) return 0;
      }
      return 5;
    default:
      return 0;
  }
}

/** Offset after the number that starts at `start`; 0 when it is not valid. */
export function endOfNumber(text: string, start: number): number {
  let at = start;
  if (text.charCodeAt(at) === 0x2d) at++;
  if (text.charCodeAt(at) === 0x30) at++;
  else if ((at = endOfDigits(text, at)) === 0) return 0;
  if (text.charCodeAt(at) === 0x2e) {
    if ((at = endOfDigits(text, at + 1)) === 0) return 0;
  }
  if ((text.charCodeAt(at) | 0x20) !== 0x65) return at;
  const sign = text.charCodeAt(at + 1);
  return endOfDigits(text, at + (sign === 0x2b || sign === 0x2d ? 2 : 1));
}

/** Offset after at least one digit; 0 when there is none. */
function endOfDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at === start ? 0 : at;
}

/** Offset of the first character at or after `at` that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  for (;; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d) {
      return at;
    }
  }
}

/** Whether a code unit opens an object or array. */
export function isOpening(code: number): boolean {
  return code === 0x7b || code === 0x5b;
}

function isHex(code: number): boolean {
  const lower = code | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66);
}
