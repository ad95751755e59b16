/** Lines that stand out by a value: a rare one of a field that is constant elsewhere, or an extreme number. @module */
import type { Lines } from "../lines.ts";
import { FieldStore, type Unusual } from "./field_store.ts";
import { quantityAt } from "./quantity.ts";

/** Lines of each reason that are given. */
const MOST = 12;
/** Tokens of a line that are looked at. */
const MOST_TOKENS = 60;
/** Tokens behind a word that belong to it. */
const MOST_BEHIND = 8;
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
const QUOTE = 34;
const COLON = 58;
const EQUALS = 61;
const ZERO = 48;
const NINE = 57;
const DASH = 45;

/**
 * Finds the lines with rare values and extreme numbers.
 *
 * A field is the value of a key, or what comes so many tokens behind a word: `took 12ms`, `state=ok`. A value is rare
 * if it occurs once or twice among at least 20, of which 95 of 100 are equal. Ids, counters and times are neither.
 *
 * @returns At most 12 lines of each reason, the most unusual first. O(n).
 */
export function standouts(lines: Lines): Unusual[] {
  const store = new FieldStore();
  const reader = new FieldReader(lines, store);
  for (let line = 0; line < lines.count; line++) reader.read(line);
  const found = store.unusual().sort((a, b) =>
    b.weight - a.weight || a.line - b.line
  );
  const chosen = new Map<number, Unusual>();
  for (const reason of ["rare", "extreme"] as const) {
    let left = MOST;
    for (const one of found) {
      if (one.reason !== reason || chosen.has(one.line)) continue;
      if (left-- === 0) break;
      chosen.set(one.line, one);
    }
  }
  return [...chosen.values()];
}

/** Reads the fields of lines. */
class FieldReader {
  readonly #lines: Lines;
  readonly #store: FieldStore;
  readonly #span = { start: 0, end: 0 };

  constructor(lines: Lines, store: FieldStore) {
    this.#lines = lines;
    this.#store = store;
  }

  read(line: number): void {
    const { codes, starts } = this.#lines;
    const end = starts[line + 1]! - 1;
    let tokens = 0;
    /** Hash of the last word, and tokens since. */
    let name = 0;
    let behind = 0;
    for (let at = starts[line]!; at < end;) {
      let bits = CLASSES[codes[at]!]!;
      if (bits === 0) {
        at++;
        continue;
      }
      if (++tokens > MOST_TOKENS) return;
      const start = at;
      let hash = SEED;
      let seen = 0;
      do {
        hash = Math.imul(hash ^ codes[at]!, PRIME);
        seen |= bits;
        bits = ++at < end ? CLASSES[codes[at]!]! : 0;
      } while ((bits & IN_TOKEN) !== 0);
      const isKey = at < end && isSign(codes, at, end);
      if (seen === LETTER && isKey) {
        name = Math.imul(hash ^ KEYED, PRIME);
        behind = 0;
        continue;
      }
      behind++;
      // What comes before the first word is a time, mostly.
      const isField = behind <= MOST_BEHIND &&
        (name !== 0 || (seen & DIGIT) === 0);
      if (isField) {
        const where = Math.imul(name ^ behind, PRIME);
        this.#span.start = start;
        this.#span.end = at;
        this.#take(where ^ (where >>> 13), hash, line);
      }
      if (seen === LETTER && at - start >= LEAST_NAME) {
        name = hash;
        behind = 0;
      }
    }
  }

  #take(where: number, hash: number, line: number): void {
    const store = this.#store;
    const field = store.fieldOf(where);
    if (field < 0) return;
    store.count(field, hash, line);
    const { codes, starts } = this.#lines;
    const first = codes[this.#span.start]!;
    if ((first < ZERO || first > NINE) && first !== DASH) return;
    const value = quantityAt(codes, this.#span, starts[line + 1]! - 1);
    if (!Number.isNaN(value)) store.measure(field, value, line);
  }
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
