/** Kinds of characters in UTF-8, and the buffer in which texts are cut by them. @module */

/** Kinds of characters, and of the bytes of UTF-8. */
export const KIND = {
  /** After the last character. */
  END: 0,
  /** Lower-case letter: Ll. */
  LOWER: 1,
  /** Upper-case or title-case letter: Lu, Lt. */
  UPPER: 2,
  /** Letter without case: Lm, Lo. */
  LETTER: 3,
  /** Combining mark: M. */
  ACCENT: 4,
  /** N. */
  NUMBER: 5,
  /** Anything else. */
  SYMBOL: 6,
  /** U+0020. White space; so is every kind from here on. */
  SPACE: 7,
  /** Other white space. */
  BLANK: 8,
  /** Carriage return or line feed. */
  NEWLINE: 9,
  /** A byte of a character above U+007F. */
  WIDE: 10,
} as const;

/** Characters per page of a table of kinds. */
export const PAGE = 256;

/** Follows the text; no byte of UTF-8. */
const END_BYTE = 0xff;

/**
 * What makes a run of characters one kind; all others are signs. White_Space and not
 * JavaScript's `\s`: the reference implementation's `\s` has U+0085 and has not U+FEFF.
 */
const RUNS: readonly (readonly [number, RegExp])[] = [
  [KIND.LOWER, /\p{Ll}+/gu],
  [KIND.UPPER, /[\p{Lu}\p{Lt}]+/gu],
  [KIND.LETTER, /[\p{Lm}\p{Lo}]+/gu],
  [KIND.ACCENT, /\p{M}+/gu],
  [KIND.NUMBER, /\p{N}+/gu],
  [KIND.BLANK, /\p{White_Space}+/gu],
];

/** Kinds of the characters of a page; the first has the code `index` times {@linkcode PAGE}. */
export function kindsOfPage(index: number): Uint8Array {
  const codes = Array.from({ length: PAGE }, (_, i) => index * PAGE + i);
  const text = String.fromCodePoint(...codes);
  const units = text.length / PAGE;
  const page = new Uint8Array(PAGE).fill(KIND.SYMBOL);
  for (const [kind, run] of RUNS) {
    for (const match of text.matchAll(run)) {
      const end = match.index + match[0].length;
      page.fill(kind, match.index / units, end / units);
    }
  }
  return page;
}

/** Kind of each byte below 0x80; `WIDE` for those above, `END` for the one that follows a text. */
export function kindsOfBytes(): Uint8Array {
  const kinds = new Uint8Array(256).fill(KIND.SYMBOL);
  kinds.fill(KIND.WIDE, 0x80);
  kinds.fill(KIND.NUMBER, 0x30, 0x3a);
  kinds.fill(KIND.UPPER, 0x41, 0x5b);
  kinds.fill(KIND.LOWER, 0x61, 0x7b);
  kinds.fill(KIND.BLANK, 0x09, 0x0e);
  kinds[0x20] = KIND.SPACE;
  kinds[0x0a] = KIND.NEWLINE;
  kinds[0x0d] = KIND.NEWLINE;
  kinds[END_BYTE] = KIND.END;
  return kinds;
}

/** UTF-16 code units up to which a text is encoded into a buffer that is kept. */
const KEPT_UNITS = 32_768;

/** Texts as UTF-8 with the byte after them that scanners need; keeps a buffer for texts of common sizes. */
export class ScanBuffer {
  /** The text, then {@linkcode END_BYTE}. Valid until the next `fill`. */
  bytes: Uint8Array = new Uint8Array(0);
  /** Bytes of the text. */
  length = 0;
  readonly #kept: Uint8Array = new Uint8Array(3 * KEPT_UNITS + 1);
  readonly #utf8: TextEncoder = new TextEncoder();

  /** Holds `text` from now on; a lone surrogate becomes U+FFFD. O(n). */
  fill(text: string): void {
    this.bytes = text.length <= KEPT_UNITS
      ? this.#kept
      : new Uint8Array(3 * text.length + 1);
    this.length = this.#utf8.encodeInto(text, this.bytes).written;
    this.bytes[this.length] = END_BYTE;
  }

  /** Lets go of the text and of any buffer made for it. */
  clear(): void {
    this.bytes = this.#kept;
    this.length = 0;
  }
}
