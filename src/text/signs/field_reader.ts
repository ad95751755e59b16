/** The fields of the lines of a text: values of keys, what is so many tokens behind a word, numbers at the ends of lines. @module */
import { isDigit } from "../words.ts";
import type { Lines } from "../lines.ts";
import { type FieldStore, KEY, NO_KEY, SPOKEN_KEY } from "./field_store.ts";
import { quantityAt } from "./quantity.ts";

/** Tokens of a line that are looked at. */
const MOST_TOKENS = 60;
/** Tokens behind a word that belong to it. */
const MOST_BEHIND = 24;
/** Numbers of a token with slashes between them that are looked at. */
const MOST_PARTS = 8;
/** Letters of a word that names a field. */
const LEAST_NAME = 2;

const LETTER = 1;
const DIGIT = 2;
const OTHER = 4;
const IN_TOKEN = LETTER | DIGIT | OTHER;
const CLASSES = characterClasses();
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const KEYED = 0x51ed270b;
/** Hash of a dash alone, which says that a value is missing. */
const NOTHING = Math.imul(SEED ^ 45, PRIME);
const AT_END = 0x2c1b3c6d;
/** The classes of two tokens, and of two plain numbers. */
const SHAPE = 0o77;
const COLUMNS = 0o22;
const SPACE = 32;
const QUOTE = 34;
const COLON = 58;
const EQUALS = 61;
const SLASH = 47;
const OPENING = 91;
const CLOSING = 93;
const DASH = 45;
const DOT = 46;
const PLUS = 43;

/** A token of a line. */
interface Token {
  start: number;
  end: number;
  hash: number;
  /** Classes of its bytes. */
  seen: number;
}

/** Reads the fields of lines into a store. */
export class FieldReader {
  readonly #lines: Lines;
  readonly #store: FieldStore;
  readonly #span = { start: 0, end: 0 };
  readonly #token: Token = { start: 0, end: 0, hash: 0, seen: 0 };
  #line = 0;
  #end = 0;
  #tokens = 0;
  /** Hash of the last word or key, tokens since, what it is, and whether it is in brackets, as in `[zone north]`. */
  #name = 0;
  #behind = 0;
  #keyed = NO_KEY;
  #isTag = false;
  /** The last number: where, which token it is, what is before and behind it, and whether it is the value of a key. */
  readonly #last = { start: 0, end: 0 };
  #number = -1;
  #before = 0;
  #after = 0;
  #isOfKey = false;
  /** Classes of the last two tokens. */
  #shape = 0;

  constructor(lines: Lines, store: FieldStore) {
    this.#lines = lines;
    this.#store = store;
  }

  /** Reads the next line. */
  read(line: number): void {
    const { codes, starts } = this.#lines;
    const end = starts[line + 1]! - 1;
    this.#enter(line, end);
    const token = this.#token;
    for (let at = starts[line]!; at < end;) {
      let bits = CLASSES[codes[at]!]!;
      if (bits === 0) {
        at++;
        continue;
      }
      if (++this.#tokens > MOST_TOKENS) return;
      token.start = at;
      let hash = SEED;
      let seen = 0;
      do {
        hash = Math.imul(hash ^ codes[at]!, PRIME);
        seen |= bits;
        bits = ++at < end ? CLASSES[codes[at]!]! : 0;
      } while ((bits & IN_TOKEN) !== 0);
      token.end = at;
      token.hash = hash;
      token.seen = seen;
      if (!this.#isKey(token)) this.#add(token);
    }
    this.#leave();
  }

  #enter(line: number, end: number): void {
    this.#line = line;
    this.#end = end;
    this.#tokens =
      this.#name =
      this.#behind =
      this.#shape =
        0;
    this.#keyed = NO_KEY;
    this.#number = -1;
  }

  /** Takes note of a token that is a key. */
  #isKey({ start, end, hash, seen }: Token): boolean {
    const { codes } = this.#lines;
    if (end >= this.#end || !isSign(codes, end, this.#end)) return false;
    // Before an equals sign also one with points, dashes or digits.
    const isName = seen === LETTER ||
      (codes[end] === EQUALS && CLASSES[codes[start]!] === LETTER);
    if (!isName) return false;
    this.#name = Math.imul(hash ^ KEYED ^ codes[end]!, PRIME);
    this.#behind = 0;
    const isSpoken = codes[end] === COLON && codes[end + 1] === SPACE;
    this.#keyed = isSpoken ? SPOKEN_KEY : KEY;
    this.#isTag = false;
    return true;
  }

  #add(token: Token): void {
    const { codes } = this.#lines;
    const { start, end, hash, seen } = token;
    this.#behind++;
    const isValue = this.#keyed !== NO_KEY && this.#behind === 1;
    if ((seen & DIGIT) !== 0 && isNumeric(codes[start]!)) {
      this.#last.start = start;
      this.#last.end = end;
      this.#number = this.#tokens;
      this.#before = (seen & LETTER) !== 0 ? 0 : this.#shape;
      this.#isOfKey = isValue;
    }
    this.#shape = ((this.#shape << 3) | seen) & SHAPE;
    this.#after = hash;
    // What comes before the first word is a time, mostly.
    const isField = this.#behind <= MOST_BEHIND &&
      (this.#name !== 0 || (seen & DIGIT) === 0);
    if (isField) {
      const isKeyed = isValue && (!this.#isTag || codes[end] === CLOSING);
      this.#field(token, isKeyed ? this.#keyed : NO_KEY);
    }
    if (seen === LETTER && end - start >= LEAST_NAME) {
      this.#name = hash;
      this.#behind = 0;
      this.#isTag = codes[start - 1] === OPENING;
      this.#keyed = this.#isTag ? KEY : NO_KEY;
    }
  }

  #field({ start, end, hash, seen }: Token, keyed: number): void {
    const where = Math.imul(this.#name ^ this.#behind, PRIME);
    const id = where ^ (where >>> 13);
    const field = this.#store.fieldOf(id, keyed);
    this.#span.start = start;
    this.#span.end = end;
    if (field >= 0) this.#take(field, hash);
    if ((seen & OTHER) !== 0) this.#takeParts(id, seen);
  }

  /** Takes the number at the end of the line, or before its last word. */
  #leave(): void {
    if (this.#number <= 0 || this.#isOfKey) return;
    let where = this.#after;
    if (this.#number === this.#tokens) {
      if (this.#before !== 0 && this.#before !== COLUMNS) return;
      where = this.#before;
    } else if (this.#number !== this.#tokens - 1) return;
    const field = this.#store.fieldOf(Math.imul(where ^ AT_END, PRIME));
    if (field < 0) return;
    const value = quantityAt(this.#lines.codes, this.#last, this.#end);
    this.#store.count(field, 0, this.#line);
    if (!Number.isNaN(value)) this.#store.measure(field, value, this.#line);
  }

  /** Takes each of the numbers of `0/0/1/29/37`, and the host of `//host/path`. */
  #takeParts(where: number, seen: number): void {
    const { codes } = this.#lines;
    const { start, end } = this.#span;
    const isAddress = codes[start] === SLASH && codes[start + 1] === SLASH;
    const areNumbers = (seen & LETTER) === 0 && isNumeric(codes[start]!);
    if (!isAddress && !(areNumbers && slashesIn(codes, start, end) > 1)) return;
    let from = isAddress ? start + 2 : start;
    let hash = SEED;
    let part = 0;
    for (let at = from; at <= end && part < MOST_PARTS; at++) {
      if (at < end && codes[at] !== SLASH) {
        hash = Math.imul(hash ^ codes[at]!, PRIME);
        continue;
      }
      const field = this.#store.fieldOf(Math.imul(where ^ ++part, PRIME));
      this.#span.start = from;
      this.#span.end = at;
      if (field >= 0) this.#take(field, hash);
      if (isAddress) return;
      from = at + 1;
      hash = SEED;
    }
  }

  #take(field: number, hash: number): void {
    const store = this.#store;
    store.count(field, hash, this.#line);
    if (hash === NOTHING) return store.miss(field);
    const { codes } = this.#lines;
    if (!isNumeric(codes[this.#span.start]!)) return;
    // The end of a sentence is no part of its last number.
    if (codes[this.#span.end - 1] === DOT) this.#span.end--;
    const value = quantityAt(codes, this.#span, this.#end);
    if (!Number.isNaN(value)) store.measure(field, value, this.#line);
  }
}

function slashesIn(codes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (codes[at] === SLASH) count++;
  return count;
}

/** Whether a number may start with a byte. */
function isNumeric(code: number): boolean {
  return isDigit(code) || code === DASH || code === PLUS;
}

/** Whether the value of a key follows: behind `=`, `":` or a colon and a blank. */
function isSign(codes: Uint8Array, at: number, end: number): boolean {
  const code = codes[at]!;
  if (code === EQUALS) return true;
  if (code === QUOTE) return at + 1 < end && codes[at + 1] === COLON;
  return code === COLON && at + 1 < end;
}

/** Signs that separate tokens are 0. */
function characterClasses(): Uint8Array {
  const table = new Uint8Array(256).fill(LETTER);
  table.fill(0, 0, 33);
  table.fill(OTHER, 33, 128);
  table.fill(DIGIT, 48, 58);
  table.fill(LETTER, 65, 91);
  table.fill(LETTER, 97, 123);
  table[95] = LETTER;
  for (const char of "=,;:()[]{}\"<>|'`") table[char.charCodeAt(0)] = 0;
  return table;
}
