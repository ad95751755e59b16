/** What the words of a unit name, and hashes by which repetitions are found. @module */
import { KINDS, OTHER, UPPER } from "../../text/words.ts";

/** What is in one unit. */
export interface Facts {
  /** Hashes of what it names exactly: code, paths, addresses, identifiers, quoted names. */
  readonly names: readonly number[];
  /** Hashes of its numbers, each with the word after it. */
  readonly numbers: readonly number[];
  /** Hashes of capitalised words behind the first. */
  readonly proper: readonly number[];
  /** Words in it. */
  readonly words: number;
  /** Hash of all words in order; marks and capitals do not count. */
  readonly whole: number;
  /** The least hash of three words in a row; 0 for fewer words. */
  readonly least: number;
  /** The second least; 0 for fewer than four words. */
  readonly second: number;
  /** About how many tokens it costs. */
  readonly tokens: number;
}

const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const NONE = 0x7fffffff;
/** UTF-16 units per token of English, and of other writing. */
const PER_TOKEN = 4.4;
const PER_FOREIGN_TOKEN = 1.6;

const CAPITAL = 1;
const SMALL = 2;
const DIGITS = 4;
const UNDERSCORE = 8;
const SLASH = 16;
const DOT = 32;
const TICK = 64;
/** Hardly ever in a word of a language. */
const SIGN = 128;
const QUOTE = 256;
const HIGH = 512;
const DASH = 1024;
/** A small letter before a capital. */
const HUMP = 2048;
const COLON = 4096;
const BRACKET = 8192;
const BITS = characterBits();

/** Reads `codes[start, end)`. O(end - start). */
export function factsOf(codes: Uint8Array, start: number, end: number): Facts {
  return new FactReader(codes).read(start, end);
}

/** Most units name nothing: one list serves them all. */
const NOTHING: readonly number[] = [];

class FactReader {
  readonly #codes: Uint8Array;
  #names = NOTHING;
  #numbers = NOTHING;
  #proper = NOTHING;
  #words = 0;
  #whole = SEED;
  #least = NONE;
  #second = NONE;
  /** Hashes of the two words before. */
  #one = 0;
  #two = 0;
  #high = 0;
  #number = 0;
  #isCode = false;
  #isQuoted = false;

  constructor(codes: Uint8Array) {
    this.#codes = codes;
  }

  read(start: number, end: number): Facts {
    const codes = this.#codes;
    for (let at = start; at < end;) {
      if (codes[at]! <= 32) at++;
      else at = this.#token(at, end);
    }
    if (this.#number !== 0) this.#numbers = added(this.#numbers, this.#number);
    const high = this.#high;
    return {
      names: this.#names,
      numbers: this.#numbers,
      proper: this.#proper,
      words: this.#words,
      whole: this.#whole,
      least: this.#least === NONE ? 0 : this.#least,
      second: this.#second === NONE ? 0 : this.#second,
      tokens: (end - start - high) / PER_TOKEN + high / PER_FOREIGN_TOKEN,
    };
  }

  /** Reads the characters up to the next blank; returns where it stands. */
  #token(first: number, end: number): number {
    const codes = this.#codes;
    let at = first;
    let hash = SEED;
    let seen = 0;
    let before = 0;
    let ticks = 0;
    let isWord = false;
    for (; at < end && codes[at]! > 32; at++) {
      const code = codes[at]!;
      const bits = BITS[code]!;
      if (KINDS[code] !== OTHER) {
        hash = Math.imul(hash ^ (bits & CAPITAL ? code | 32 : code), PRIME);
        if (bits & CAPITAL && before & SMALL) seen |= HUMP;
        if (bits & HIGH) this.#high++;
        isWord = true;
      } else if (bits & TICK) ticks++;
      seen |= bits;
      before = bits;
    }
    const wasCode = this.#isCode;
    if (ticks % 2 === 1) this.#isCode = !wasCode;
    if (isWord) {
      const isExact = wasCode || ticks > 0 || this.#inQuotes(first, at, seen);
      this.#word(hash, { first, end: at, seen, isExact });
    }
    return at;
  }

  #word(hash: number, token: Token): void {
    if (this.#number !== 0) {
      this.#numbers = added(this.#numbers, mix(this.#number, hash));
      this.#number = 0;
    }
    if (token.isExact || this.#isName(token)) {
      this.#names = added(this.#names, hash);
    } else if (token.seen & DIGITS) this.#number = hash;
    else if (this.#words > 0 && this.#startsBig(token)) {
      this.#proper = added(this.#proper, hash);
    }
    this.#words++;
    this.#whole = mix(this.#whole, hash);
    if (this.#words > 2) this.#shingle(mix(mix(this.#one, this.#two), hash));
    this.#one = this.#two;
    this.#two = hash;
  }

  #shingle(hash: number): void {
    const three = (hash >>> 1) | 1;
    if (three < this.#least) {
      this.#second = this.#least;
      this.#least = three;
    } else if (three < this.#second && three !== this.#least) {
      this.#second = three;
    }
  }

  /** Whether the word stands between `"`, whose state moves on. */
  #inQuotes(first: number, end: number, seen: number): boolean {
    const was = this.#isQuoted;
    if ((seen & QUOTE) === 0) return was;
    let marks = 0;
    for (let i = first; i < end; i++) if (this.#codes[i] === 34) marks++;
    if (marks % 2 === 1) this.#isQuoted = !was;
    return true;
  }

  /** A path, an address, an identifier, an option, an acronym. */
  #isName({ first, end, seen }: Token): boolean {
    if (seen & (UNDERSCORE | SIGN | HUMP)) {
      return seen & (SIGN | HUMP) ? true : this.#hasInner(first, end, 95);
    }
    if (seen & SLASH) return this.#isPath(first, end, seen);
    if (seen & DOT && this.#hasInner(first, end, 46)) return true;
    if (seen & DASH && this.#codes[first] === 45 && end - first > 1) {
      return true;
    }
    if (seen & (COLON | BRACKET) && this.#isCall(first, end)) return true;
    return (seen & (CAPITAL | SMALL | HIGH)) === CAPITAL && end - first > 2;
  }

  /** `src/a.ts`, `/etc`, `~/x`, `a/b/c`; not `and/or`. */
  #isPath(first: number, end: number, seen: number): boolean {
    if (seen & (DIGITS | UNDERSCORE) || this.#hasInner(first, end, 46)) {
      return true;
    }
    let slashes = 0;
    for (let i = first; i < end; i++) if (this.#codes[i] === 47) slashes++;
    const start = this.#codes[first]!;
    return slashes > 1 || start === 47 || start === 126 || start === 46;
  }

  /** `run()`, `std::vec`, `key:value`. */
  #isCall(first: number, end: number): boolean {
    for (let i = first; i < end - 1; i++) {
      const next = this.#codes[i + 1]!;
      if (this.#codes[i] === 40 && next === 41) return true;
      if (this.#codes[i] === 58 && (next === 58 || KINDS[next] !== OTHER)) {
        return true;
      }
    }
    return false;
  }

  /** Whether `code` stands between two letters or digits. */
  #hasInner(first: number, end: number, code: number): boolean {
    for (let i = first + 1; i < end - 1; i++) {
      if (
        this.#codes[i] === code && KINDS[this.#codes[i - 1]!] !== OTHER &&
        KINDS[this.#codes[i + 1]!] !== OTHER
      ) return true;
    }
    return false;
  }

  #startsBig({ first, end, seen }: Token): boolean {
    if ((seen & CAPITAL) === 0) return false;
    let at = first;
    while (at < end && KINDS[this.#codes[at]!] === OTHER) at++;
    return KINDS[this.#codes[at]!] === UPPER && end - at > 1;
  }
}

function added(list: readonly number[], hash: number): readonly number[] {
  if (list.length === 0) return [hash];
  (list as number[]).push(hash);
  return list;
}

interface Token {
  readonly first: number;
  readonly end: number;
  /** Bits of its characters. */
  readonly seen: number;
  /** In a code span or in quotation marks. */
  readonly isExact: boolean;
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1 | 0);
  return (mixed << 13) | (mixed >>> 19);
}

function characterBits(): Uint16Array {
  const table = new Uint16Array(256).fill(HIGH, 128);
  table.fill(DIGITS, 48, 58);
  table.fill(CAPITAL, 65, 91);
  table.fill(SMALL, 97, 123);
  const set = (chars: string, bits: number) => {
    for (const char of chars) table[char.charCodeAt(0)] = bits;
  };
  set("_", UNDERSCORE);
  set("/", SLASH);
  set(".", DOT);
  set("`", TICK);
  set("-", DASH);
  set("$=@#%&\\<>{}|^~+", SIGN);
  set('"', QUOTE);
  set(":", COLON);
  set("(", BRACKET);
  return table;
}
