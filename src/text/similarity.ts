/** Hashes under which lines that say the same about different things are equal. @module */
import type { Lines } from "./lines.ts";

/** Bits of a character; a delimiter has none of the first four. */
const LETTER = 1;
const DIGIT = 2;
const SLASH = 4;
const JOINT = 8;
/** Not a digit of a hexadecimal id. */
const NOT_HEX = 16;
const QUOTE = 32;
const BLANK = 64;
const IN_TOKEN = LETTER | DIGIT | SLASH | JOINT;
/** A path falls into its segments. */
const IN_SEGMENT = LETTER | DIGIT | JOINT;
const BITS = characterBits();

const NUMBER = 0x51ed270b;
const ZERO = 0x2545f491;
const PATH = 0x3c6ef372;
const WORD = 0x1b873593;
const QUOTED = 0x6a09e667;
const SEED = 0x811c9dc5 | 0;
const BRACKET = 91;
const PRIME = 0x01000193;

/** Words told apart by the coarse shape: in lines that start with a time or a bracket, and in others. */
const WORDS_AFTER_TIME = 3;
const WORDS_OTHERWISE = 1;

/**
 * One hash per line; every token and every segment of a path that has a digit is equal, all others are told apart.
 * 0 for a line without any token. O(n).
 */
export function looseShapes(lines: Lines): Int32Array {
  const shapes = new Int32Array(lines.count);
  const { codes, starts } = lines;
  for (let line = 0; line < lines.count; line++) {
    const end = starts[line + 1]! - 1;
    let shape = SEED;
    for (let at = starts[line]!; at < end;) {
      const first = codes[at]!;
      let bits = BITS[first]!;
      if ((bits & IN_SEGMENT) === 0) {
        if (bits !== BLANK) shape = Math.imul(shape ^ first, PRIME);
        at++;
        continue;
      }
      const start = at;
      let hash = SEED;
      let seen = 0;
      do {
        hash = Math.imul(hash ^ codes[at]!, PRIME);
        seen |= bits;
        bits = ++at < end ? BITS[codes[at]!]! : 0;
      } while ((bits & IN_SEGMENT) !== 0);
      shape = mix(shape, seen & DIGIT ? numberValue(codes, start, at) : hash);
    }
    shapes[line] = shape === SEED ? 0 : shape || 1;
  }
  return shapes;
}

/** Numbers, times and hexadecimal ids of a line are equal; names are not, also those with digits. Never 0. */
export function exactShape(lines: Lines, line: number): number {
  let shape = SEED;
  eachToken(lines, line, (token) => {
    const { start, end, seen } = token;
    const isHex = (seen & (NOT_HEX | DIGIT)) === DIGIT && end - start >= 6;
    shape = mix(
      shape,
      isHex || (seen & DIGIT && startsWithDigit(lines.codes, start, end))
        ? numberValue(lines.codes, start, end)
        : token.hash,
    );
  });
  return shape || 1;
}

/**
 * First words of a line, then only the kinds of its tokens: word, number, path, quoted. Never 0.
 *
 * @param afterTime How many words count in a line that starts with a time or a bracket; else one.
 */
export function coarseShape(
  lines: Lines,
  line: number,
  afterTime = WORDS_AFTER_TIME,
): number {
  const { codes, starts } = lines;
  let shape = SEED;
  let words = codes[starts[line]!] === BRACKET ? afterTime : -1;
  eachToken(lines, line, ({ start, end, seen, hash }) => {
    if (words < 0) words = seen & DIGIT ? afterTime : WORDS_OTHERWISE;
    const before = start > 0 ? codes[start - 1]! : 0;
    if (seen & DIGIT) shape = mix(shape, numberValue(codes, start, end));
    else if (BITS[before] === QUOTE && codes[end] === before) {
      shape = mix(shape, QUOTED);
    } else if (seen & SLASH) shape = mix(shape, PATH);
    else if (seen & LETTER && words-- > 0) shape = mix(shape, hash);
    else shape = mix(shape, WORD);
  });
  return shape || 1;
}

/** A run of characters between blanks and delimiters. */
interface Token {
  /** Offset of the first character. */
  readonly start: number;
  /** Offset after the last. */
  readonly end: number;
  /** Hash of the characters. */
  readonly hash: number;
  /** Bits of all characters. */
  readonly seen: number;
}

function eachToken(
  { codes, starts }: Lines,
  line: number,
  visit: (token: Token) => void,
): void {
  const end = starts[line + 1]! - 1;
  for (let at = starts[line]!; at < end;) {
    let bits = BITS[codes[at]!]!;
    if ((bits & IN_TOKEN) === 0) {
      at++;
      continue;
    }
    const start = at;
    let hash = SEED;
    let seen = 0;
    do {
      hash = Math.imul(hash ^ codes[at]!, PRIME);
      seen |= bits;
      bits = ++at < end ? BITS[codes[at]!]! : 0;
    } while ((bits & IN_TOKEN) !== 0);
    visit({ start, end: at, hash, seen });
  }
}

/** A lone 0 differs from all other numbers, which are equal. */
function numberValue(codes: Uint8Array, start: number, end: number): number {
  return end - start === 1 && codes[start] === 48 ? ZERO : NUMBER;
}

/** Whether the first letter or digit of a token is a digit. */
function startsWithDigit(
  codes: Uint8Array,
  start: number,
  end: number,
): boolean {
  for (let i = start; i < end; i++) {
    const bits = BITS[codes[i]!]!;
    if (bits & (LETTER | DIGIT)) return (bits & DIGIT) !== 0;
  }
  return false;
}

/** A hash with another value in it. */
export function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1 | 0);
  return (mixed << 13) | (mixed >>> 19);
}

function characterBits(): Uint8Array {
  const table = new Uint8Array(256).fill(LETTER | NOT_HEX);
  table.fill(JOINT | NOT_HEX, 33, 128);
  table.fill(BLANK, 0, 33);
  table.fill(DIGIT, 48, 58);
  table.fill(LETTER | NOT_HEX, 65, 91);
  table.fill(LETTER | NOT_HEX, 97, 123);
  const set = (chars: string, bits: number) => {
    for (const char of chars) table[char.charCodeAt(0)] = bits;
  };
  set("abcdefABCDEFx", LETTER);
  set("-", JOINT);
  set("/\\", SLASH | NOT_HEX);
  set("`'", QUOTE);
  set('=,;:()[]{}"<>|', 0);
  return table;
}
