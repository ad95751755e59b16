/** Where the literals of JSON end: strings, numbers, words (RFC 8259). @module */

const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;

/** 1 for the bytes that may follow a backslash, but for `u`. */
const ESCAPED = new Uint8Array(256);
for (const letter of '"\\/bfnrt') ESCAPED[letter.charCodeAt(0)] = 1;

/** 1 for decimal digits. */
const DIGIT = new Uint8Array(256);
DIGIT.fill(1, ZERO, ZERO + 10);

/** 1 for hexadecimal digits. */
const HEX = new Uint8Array(256);
for (const digit of "0123456789abcdefABCDEF") HEX[digit.charCodeAt(0)] = 1;

/** 1 for the bytes that end a run of plain string contents: quote, backslash, control characters. */
const SPECIAL = new Uint8Array(256);
SPECIAL.fill(1, 0, 0x20);
SPECIAL[QUOTE] = 1;
SPECIAL[BACKSLASH] = 1;

/**
 * Passes the string literal at `start`. Invalid UTF-8 in it is not noticed.
 *
 * @returns Offset after its closing quote.
 * @throws {SyntaxError} If there is none, or it is malformed.
 */
export function stringEnd(bytes: Uint8Array, start: number): number {
  // Past the end a look-up gives `undefined`, which ends both loops.
  let at = start;
  if (bytes[at] !== QUOTE) throw unexpected(bytes, at);
  at++;
  const lastFour = bytes.length - 4;
  for (;;) {
    // Nearly all bytes of a body are string contents: four at a time halves the time of a scan.
    while (
      at <= lastFour &&
      (SPECIAL[bytes[at]!]! | SPECIAL[bytes[at + 1]!]! |
          SPECIAL[bytes[at + 2]!]! | SPECIAL[bytes[at + 3]!]!) === 0
    ) at += 4;
    while (SPECIAL[bytes[at]!] === 0) at++;
    const byte = bytes[at];
    if (byte === BACKSLASH) {
      at = ESCAPED[bytes[at + 1]!] === 1 ? at + 2 : unicodeEscapeEnd(bytes, at);
    } else {
      if (byte !== QUOTE) throw unexpected(bytes, at);
      return at + 1;
    }
  }
}

function unicodeEscapeEnd(bytes: Uint8Array, at: number): number {
  // Past the end a look-up gives `undefined`, which is no digit.
  const digits = HEX[bytes[at + 2]!]! & HEX[bytes[at + 3]!]! &
    HEX[bytes[at + 4]!]! & HEX[bytes[at + 5]!]!;
  if (bytes[at + 1] === LOWER_U && digits === 1) return at + 6;
  throw unexpected(bytes, at);
}

/**
 * Passes the number at `start`.
 *
 * @returns Offset after it.
 * @throws {SyntaxError} If there is none, or it is malformed.
 */
export function numberEnd(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : digitsEnd(bytes, at);
  if (bytes[at] === DOT) at = digitsEnd(bytes, at + 1);
  const e = bytes[at];
  if (e !== 0x65 && e !== 0x45) return at;
  const sign = bytes[++at];
  return digitsEnd(bytes, sign === PLUS || sign === MINUS ? at + 1 : at);
}

function digitsEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (DIGIT[bytes[at]!] === 1) at++;
  if (at === start) throw unexpected(bytes, at);
  return at;
}

/**
 * Passes `true`, `false` or `null` at `start`.
 *
 * @returns Offset after it.
 * @throws {SyntaxError} If there is none.
 */
export function wordEnd(bytes: Uint8Array, start: number): number {
  for (const word of ["true", "false", "null"]) {
    if (spells(bytes, start, word)) return start + word.length;
  }
  throw unexpected(bytes, start);
}

function spells(bytes: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    if (bytes[at + i] !== word.charCodeAt(i)) return false;
  }
  return true;
}

/** The error of a body that has no such byte at `at`. */
export function unexpected(bytes: Uint8Array, at: number): SyntaxError {
  const byte = bytes[at];
  return new SyntaxError(
    byte === undefined
      ? `Cannot scan body: it ends at byte ${at}`
      : `Cannot scan body: unexpected byte 0x${byte.toString(16)} at ${at}`,
  );
}
