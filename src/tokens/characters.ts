/** What a character is to the patterns that cut text, read from UTF-8. @module */

/** After the last character. */
export const END = 0;
/** Lower-case letter: Ll. */
export const LOWER = 1;
/** Upper-case or title-case letter: Lu, Lt. */
export const UPPER = 2;
/** Letter without case: Lm, Lo. */
export const LETTER = 3;
/** Combining mark: M. */
export const ACCENT = 4;
/** N. */
export const NUMBER = 5;
/** Anything else. */
export const SYMBOL = 6;
/** U+0020. White space; so is every kind from here on. */
export const SPACE = 7;
/** Other white space. */
export const BLANK = 8;
/** Carriage return or line feed. */
export const NEWLINE = 9;

/** Follows the text; no byte of UTF-8. */
export const END_BYTE = 0xff;

/** A byte of a character above U+007F. */
const WIDE = 10;
/** Characters per page of the table. */
const PAGE = 256;

/**
 * What makes a run of characters one kind; all others are {@linkcode SYMBOL}. White_Space and not
 * JavaScript's `\s`: the reference implementation's `\s` has U+0085 and has not U+FEFF.
 */
const RUNS: readonly (readonly [number, RegExp])[] = [
  [LOWER, /\p{Ll}+/gu],
  [UPPER, /[\p{Lu}\p{Lt}]+/gu],
  [LETTER, /[\p{Lm}\p{Lo}]+/gu],
  [ACCENT, /\p{M}+/gu],
  [NUMBER, /\p{N}+/gu],
  [BLANK, /\p{White_Space}+/gu],
];

/** Kinds of the characters of each page; made when a text first has one of them. */
const pages: (Uint8Array | undefined)[] = Array.from(
  { length: 0x110000 / PAGE },
);
/** Kind of each byte below 0x80. */
export const KIND_OF_BYTE: Uint8Array = kindsOfBytes();

/**
 * Kind of the character at `bytes[at]`.
 *
 * @param bytes Valid UTF-8, followed by {@linkcode END_BYTE}. @param at Start of a character, or the offset after the last one.
 */
export function kindAt(bytes: Uint8Array, at: number): number {
  const kind = KIND_OF_BYTE[bytes[at]!]!;
  return kind === WIDE ? wideKindAt(bytes, at) : kind;
}

/** Offset after the character at `bytes[at]`. */
export function after(bytes: Uint8Array, at: number): number {
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
  const page = pages[code >> 8] ?? makePage(code >> 8);
  return page[code & (PAGE - 1)]!;
}

/** The bits of `count` continuation bytes. */
function tail(bytes: Uint8Array, at: number, count: number): number {
  let bits = 0;
  for (let i = at; i < at + count; i++) bits = bits << 6 | bytes[i]! & 0x3f;
  return bits;
}

function makePage(index: number): Uint8Array {
  const codes = Array.from({ length: PAGE }, (_, i) => index * PAGE + i);
  const text = String.fromCodePoint(...codes);
  const units = text.length / PAGE;
  const page = new Uint8Array(PAGE).fill(SYMBOL);
  for (const [kind, run] of RUNS) {
    for (const match of text.matchAll(run)) {
      const end = match.index + match[0].length;
      page.fill(kind, match.index / units, end / units);
    }
  }
  pages[index] = page;
  return page;
}

function kindsOfBytes(): Uint8Array {
  const kinds = new Uint8Array(256).fill(SYMBOL, 0, 0x80).fill(WIDE, 0x80);
  kinds.fill(NUMBER, 0x30, 0x3a);
  kinds.fill(UPPER, 0x41, 0x5b);
  kinds.fill(LOWER, 0x61, 0x7b);
  kinds.fill(BLANK, 0x09, 0x0e);
  kinds[0x20] = SPACE;
  kinds[0x0a] = NEWLINE;
  kinds[0x0d] = NEWLINE;
  kinds[END_BYTE] = END;
  return kinds;
}
