/**
 * Words as hashes, without building strings. An identifier falls into its parts:
 * `paymentTimeout`, `payment_timeout` and `PAYMENT TIMEOUT` hold the same two words.
 * @module
 */
import { byteOf } from "./lines.ts";

/** Not part of a word. */
export const OTHER = 0;
/** `a-z` and everything above ASCII. */
export const LOWER = 1;
/** `A-Z`. */
export const UPPER = 2;
/** `0-9`. */
export const DIGIT = 3;

const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const UNDERSCORE = 95;

/** Class of each byte of {@linkcode Lines.codes}. */
export const KINDS: Uint8Array = charKinds();

/** Whether a code is that of `0` to `9`. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether a byte is a letter, a digit or an underscore. */
export function isWord(code: number): boolean {
  return KINDS[code] !== OTHER || code === UNDERSCORE;
}

/** Hash of a whole word, equal for every spelling in capitals. */
export function wordHash(word: string): number {
  let hash = SEED;
  for (let i = 0; i < word.length; i++) {
    const code = byteOf(word.charCodeAt(i));
    hash = Math.imul(hash ^ (KINDS[code] === UPPER ? code | 32 : code), PRIME);
  }
  return hash;
}

/** Hash of `codes[start, end)`, letters lower-cased. */
export function hashOf(codes: Uint8Array, start: number, end: number): number {
  let hash = SEED;
  for (let i = start; i < end; i++) {
    const code = codes[i]!;
    hash = Math.imul(hash ^ (KINDS[code] === UPPER ? code | 32 : code), PRIME);
  }
  return hash;
}

/**
 * End of the word that starts at `at`: a run of digits, of capitals or of small letters
 * with at most one capital before them. `IOException` starts with the word `IO`.
 *
 * @param kind Class of the byte at `at`, not `OTHER`. @param end Nothing from here on is read.
 */
function wordEnd(
  codes: Uint8Array,
  at: number,
  kind: number,
  end: number,
): number {
  let stop = at + 1;
  let run = kind;
  if (kind === UPPER) {
    while (stop < end && KINDS[codes[stop]!] === UPPER) stop++;
    if (stop >= end || KINDS[codes[stop]!] !== LOWER) return stop;
    if (stop - at > 1) return stop - 1;
    run = LOWER;
  }
  while (stop < end && KINDS[codes[stop]!] === run) stop++;
  return stop;
}

/** A fixed map from words to small positive numbers, which finds its words in a text. */
export class WordTable {
  readonly #keys: Int32Array;
  readonly #values: Uint8Array;
  readonly #mask: number;
  /** Whether any word starts with these three bytes, five bits of each. */
  readonly #starts = new Uint8Array(1 << 15);

  /** Takes pairs of a lower-case word of two or more letters or digits and a value, 1 to 255; the first pair of a word counts. */
  constructor(pairs: Iterable<readonly [string, number]>) {
    const all = [...pairs];
    const size = 1 << Math.max(6, 34 - Math.clz32(all.length));
    this.#keys = new Int32Array(size);
    this.#values = new Uint8Array(size);
    this.#mask = size - 1;
    for (const [word, value] of all) {
      this.#markStart(word);
      this.#put(wordHash(word), value);
    }
  }

  /**
   * Calls `found` for each whole word of the text that is in the table, in order, in any spelling,
   * also with a plural `s`. O(codes).
   */
  find(
    codes: Uint8Array,
    found: (value: number, start: number, end: number) => void,
  ): void {
    const starts = this.#starts;
    const last = codes.length;
    let three = last > 0 ? (codes[0]! & 31) << 5 : 0;
    if (last > 1) three |= codes[1]! & 31;
    for (let i = 2; i < last; i++) {
      three = ((three << 5) | (codes[i]! & 31)) & 0x7fff;
      if (starts[three] !== 0) this.#look(codes, i - 2, found);
    }
    // A word of two letters at the end.
    if (last > 1 && starts[(three << 5) & 0x7fff] !== 0) {
      this.#look(codes, last - 2, found);
    }
  }

  /** Reports the word that starts at `start`, if one does and it is in the table. */
  #look(
    codes: Uint8Array,
    start: number,
    found: (value: number, start: number, end: number) => void,
  ): void {
    if (!isWordStart(codes, start)) return;
    const end = wordEnd(codes, start, KINDS[codes[start]!]!, codes.length);
    const value = end - start > 1 ? this.#valueOf(codes, start, end) : 0;
    if (value !== 0) found(value, start, end);
  }

  #valueOf(codes: Uint8Array, start: number, end: number): number {
    const value = this.#get(hashOf(codes, start, end));
    if (value !== 0 || end - start <= 3 || (codes[end - 1]! | 32) !== 115) {
      return value;
    }
    return this.#get(hashOf(codes, start, end - 1));
  }

  #get(hash: number): number {
    let slot = (hash ^ (hash >>> 15)) & this.#mask;
    while (this.#values[slot]! !== 0) {
      if (this.#keys[slot] === hash) return this.#values[slot]!;
      slot = (slot + 1) & this.#mask;
    }
    return 0;
  }

  #markStart(word: string): void {
    // The last five bits of a code and of its byte are the same.
    const two = (word.charCodeAt(0) & 31) << 10 |
      (word.charCodeAt(1) & 31) << 5;
    if (word.length === 2) this.#starts.fill(1, two, two + 32);
    else this.#starts[two | (word.charCodeAt(2) & 31)] = 1;
  }

  #put(hash: number, value: number): void {
    if (this.#get(hash) !== 0) return;
    let slot = (hash ^ (hash >>> 15)) & this.#mask;
    while (this.#values[slot]! !== 0) slot = (slot + 1) & this.#mask;
    this.#keys[slot] = hash;
    this.#values[slot] = value;
  }
}

function isWordStart(codes: Uint8Array, at: number): boolean {
  const kind = KINDS[codes[at]!]!;
  if (kind === OTHER) return false;
  const before = at > 0 ? KINDS[codes[at - 1]!]! : OTHER;
  if (kind === DIGIT) return before !== DIGIT;
  if (kind === LOWER) return before === OTHER || before === DIGIT;
  return before !== UPPER || KINDS[codes[at + 1]!] === LOWER;
}

function charKinds(): Uint8Array {
  const kinds = new Uint8Array(256).fill(LOWER, 128);
  kinds.fill(DIGIT, 48, 58);
  kinds.fill(UPPER, 65, 91);
  kinds.fill(LOWER, 97, 123);
  return kinds;
}
