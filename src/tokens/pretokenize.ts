/**
 * Cuts text into the pieces that are encoded on their own.
 *
 * Each encoding publishes a regular expression for it. These are scanners for the same language:
 * a backtracking engine overflows its stack on a long run of one character.
 *
 * @module
 */

import { isDigit } from "../text/words.ts";
import { KIND, kindsOfBytes, kindsOfPage, PAGE } from "./char_kind.ts";

// The engine takes names of this module for numbers, and looks up those of others at each use.
const { END, LOWER, UPPER, LETTER, ACCENT } = KIND;
const { NUMBER, SYMBOL, SPACE, BLANK, NEWLINE, WIDE } = KIND;

const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const CAPITAL_A = 0x41;
const CAPITAL_Z = 0x5a;
const SMALL_A = 0x61;
const SMALL_Z = 0x7a;
const LAST_ASCII = 0x7f;
/** Longest run of digits in one piece. */
const DIGITS = 3;
/** Answer of an alternative that does not match. */
const NONE = -1;

/**
 * Ends one piece.
 *
 * @param bytes Valid UTF-8 in a {@linkcode ScanBuffer}. @param at Where the piece starts, below the end of the text.
 * @returns Offset after the piece, above `at`.
 */
export type PieceScanner = (bytes: Uint8Array, at: number) => number;

/**
 * Ends one piece of `o200k_base`, of which the pattern is, in this order:
 * `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
 * the same with `+` and `*` exchanged, `\p{N}{1,3}`, ` ?[^\s\p{L}\p{N}]+[\r\n/]*`, `\s*[\r\n]+`,
 * `\s+(?!\S)`, `\s+`.
 */
export function o200kPiece(bytes: Uint8Array, at: number): number {
  const stop = plainEnd(bytes, at);
  if (stop > at) return stop;
  const kind = kindAt(bytes, at);
  if (kind === NUMBER) return numberEnd(bytes, at);
  if (kind === NEWLINE) return spaceEnd(bytes, at);
  const end = kind <= LETTER
    ? casedWord(bytes, at)
    : kind === ACCENT
    ? wordOfAccent(bytes, at)
    : casedWord(bytes, after(bytes, at));
  if (end !== NONE) {
    return bytes[end] === APOSTROPHE ? afterContraction(bytes, end) : end;
  }
  return symbolOrSpaceEnd(bytes, at, kind, SLASH);
}

/** The same for most pieces of a text in ASCII: digits, a word and the sign before it, signs. @returns `at` for any other. */
function plainEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  if (isDigit(bytes[i]!)) {
    do i++; while (i < at + DIGITS && isDigit(bytes[i]!));
    return i < at + DIGITS && bytes[i]! > LAST_ASCII ? at : i;
  }
  const first = KIND_OF_BYTE[bytes[i]!]!;
  if (first >= SYMBOL && first <= BLANK) i++;
  const word = i;
  while (bytes[i]! >= CAPITAL_A && bytes[i]! <= CAPITAL_Z) i++;
  i = smallEnd(bytes, i);
  if (i === word) return plainSignsEnd(bytes, at, i);
  return bytes[i]! <= LAST_ASCII && bytes[i] !== APOSTROPHE ? i : at;
}

/** Signs from `at` on, the first of them, or the blank before them, below `next`. @returns `at` for none. */
function plainSignsEnd(bytes: Uint8Array, at: number, next: number): number {
  let i = next;
  if (KIND_OF_BYTE[bytes[i]!] === NUMBER) return i;
  const first = KIND_OF_BYTE[bytes[at]!]!;
  if (first === SPACE ? KIND_OF_BYTE[bytes[i]!] !== SYMBOL : first !== SYMBOL) {
    return at;
  }
  while (KIND_OF_BYTE[bytes[i]!] === SYMBOL) i++;
  while (KIND_OF_BYTE[bytes[i]!] === NEWLINE || bytes[i] === SLASH) i++;
  return bytes[i]! <= LAST_ASCII ? i : at;
}

/**
 * Ends one piece of `cl100k_base`, of which the pattern is, in this order:
 * `(?i:'s|'t|'re|'ve|'m|'ll|'d)`, `[^\r\n\p{L}\p{N}]?\p{L}+`, `\p{N}{1,3}`,
 * ` ?[^\s\p{L}\p{N}]+[\r\n]*`, `\s*[\r\n]+`, `\s+(?!\S)`, `\s+`.
 */
export function cl100kPiece(bytes: Uint8Array, at: number): number {
  const kind = kindAt(bytes, at);
  if (kind <= LETTER) return letterEnd(bytes, at);
  if (kind === NUMBER) return numberEnd(bytes, at);
  if (kind === NEWLINE) return spaceEnd(bytes, at);
  if (bytes[at] === APOSTROPHE) {
    const end = afterContraction(bytes, at);
    if (end > at) return end;
  }
  const end = letterEnd(bytes, after(bytes, at));
  return end === NONE ? symbolOrSpaceEnd(bytes, at, kind, NONE) : end;
}

/** A word after an accent, or one that the accent starts. */
function wordOfAccent(bytes: Uint8Array, at: number): number {
  const end = lowerWord(bytes, after(bytes, at));
  return end === NONE ? lowerWord(bytes, at) : end;
}

function casedWord(bytes: Uint8Array, at: number): number {
  const kind = kindAt(bytes, at);
  if (kind === END || kind > ACCENT) return NONE;
  const end = lowerWord(bytes, at);
  return end === NONE ? upperWord(bytes, at) : end;
}

/** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`. */
function lowerWord(bytes: Uint8Array, at: number): number {
  let i = at;
  // Where the pattern ends if it has to give back characters of its first part.
  let end = NONE;
  let kind = kindAt(bytes, i);
  while (kind >= UPPER && kind <= ACCENT) {
    i = after(bytes, i);
    if (kind !== UPPER) end = i;
    kind = kindAt(bytes, i);
  }
  if (kind !== LOWER) return end;
  do {
    i = smallEnd(bytes, after(bytes, i));
    kind = kindAt(bytes, i);
  } while (kind === LOWER || kind === LETTER || kind === ACCENT);
  return i;
}

/** End of the small letters of ASCII from `at` on: most of a text. */
function smallEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  while (bytes[i]! >= SMALL_A && bytes[i]! <= SMALL_Z) i++;
  return i;
}

/** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*`, where {@linkcode lowerWord} found none. */
function upperWord(bytes: Uint8Array, at: number): number {
  let i = at;
  while (kindAt(bytes, i) === UPPER) i = after(bytes, i);
  return i > at ? i : NONE;
}

/** `\p{L}+`. */
function letterEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  for (let kind = kindAt(bytes, i); kind >= LOWER && kind <= LETTER;) {
    i = after(bytes, i);
    kind = kindAt(bytes, i);
  }
  return i > at ? i : NONE;
}

/** Offset after the contraction whose apostrophe is at `at`, or `at` itself when it is none. */
function afterContraction(bytes: Uint8Array, at: number): number {
  const second = bytes[at + 2]! | 0x20;
  switch (bytes[at + 1]! | 0x20) {
    case 0x73: // s
    case 0x74: // t
    case 0x6d: // m
    case 0x64: // d
      return at + 2;
    case 0x72: // r
    case 0x76: // v
      return second === 0x65 ? at + 3 : at; // e
    case 0x6c: // l
      return second === 0x6c ? at + 3 : at; // l
    default:
      // U+017F is an "s" to whom case does not matter.
      return bytes[at + 1] === 0xc5 && bytes[at + 2] === 0xbf ? at + 3 : at;
  }
}

/** `\p{N}{1,3}`. */
function numberEnd(bytes: Uint8Array, at: number): number {
  let i = after(bytes, at);
  for (let n = 1; n < DIGITS && kindAt(bytes, i) === NUMBER; n++) {
    i = after(bytes, i);
  }
  return i;
}

/** ` ?[^\s\p{L}\p{N}]+[\r\n]*`, or else white space. `also`: a byte that counts as a line end, or -1. */
function symbolOrSpaceEnd(
  bytes: Uint8Array,
  at: number,
  kind: number,
  also: number,
): number {
  let i = kind === SPACE ? at + 1 : at;
  if (!isSymbol(kindAt(bytes, i))) return spaceEnd(bytes, at);
  while (isSymbol(kindAt(bytes, i))) i = after(bytes, i);
  while (kindAt(bytes, i) === NEWLINE || bytes[i] === also) i++;
  return i;
}

function isSymbol(kind: number): boolean {
  return kind === SYMBOL || kind === ACCENT;
}

/** `\s*[\r\n]+`, `\s+(?!\S)` or `\s+`. */
function spaceEnd(bytes: Uint8Array, at: number): number {
  let i = at;
  let last = at;
  let afterNewline = at;
  let kind = kindAt(bytes, i);
  while (kind >= SPACE) {
    last = i;
    i = after(bytes, i);
    if (kind === NEWLINE) afterNewline = i;
    kind = kindAt(bytes, i);
  }
  if (afterNewline > at) return afterNewline;
  // The last blank before a word goes with the word, unless it is the only one.
  return kind === END || last === at ? i : last;
}

/** Kinds of the characters of each page; made when a text first has one of them. */
const pages: (Uint8Array | undefined)[] = Array.from(
  { length: 0x110000 / PAGE },
);
/** Kind of each byte below 0x80. */
const KIND_OF_BYTE: Uint8Array = kindsOfBytes();

/**
 * Kind of the character at `bytes[at]`.
 *
 * @param bytes Valid UTF-8 in a {@linkcode ScanBuffer}. @param at Start of a character, or the offset after the last one.
 */
function kindAt(bytes: Uint8Array, at: number): number {
  const kind = KIND_OF_BYTE[bytes[at]!]!;
  return kind === WIDE ? wideKindAt(bytes, at) : kind;
}

/** Offset after the character at `bytes[at]`. */
function after(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return at + 1;
  if (lead < 0xe0) return at + 2;
  return lead < 0xf0 ? at + 3 : at + 4;
}

function wideKindAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  let code = (bytes[at + 1]! & 0x3f) | (lead & 0x1f) << 6;
  if (lead >= 0xe0) code = (lead & 0x0f) << 12 | tail(bytes, at + 1, 2);
  if (lead >= 0xf0) code = (lead & 0x07) << 18 | tail(bytes, at + 1, 3);
  const page = pages[code >> 8] ??= kindsOfPage(code >> 8);
  return page[code & (PAGE - 1)]!;
}

/** The bits of `count` continuation bytes. */
function tail(bytes: Uint8Array, at: number, count: number): number {
  let bits = 0;
  for (let i = at; i < at + count; i++) bits = bits << 6 | bytes[i]! & 0x3f;
  return bits;
}
