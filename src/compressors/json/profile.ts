/** What the values of one column are like: numbers, a few categories, or text. @module */
import type { Column } from "./column.ts";
import { ESCAPED, isContainer, NUMBER, STRING, type Tape } from "./tape.ts";

/** Rows that are alike, in order of appearance. */
export interface Groups {
  /** Group of each row. */
  readonly of: Uint8Array;
  /** First row of each group. */
  readonly first: readonly number[];
  /** Rows in each group. */
  readonly sizes: readonly number[];
}

/** Statistics of one column over `n` rows. */
export interface Profile {
  /** The column. */
  readonly column: Column;
  /** Value of each row, NaN where there is none; only when all values are numbers. */
  readonly numbers: Float64Array | undefined;
  /** Rows with the same raw text, missing values being alike; only when there are few texts. */
  readonly categories: Groups | undefined;
  /** Rows with the same pattern of text, words with digits being alike; only for text with few patterns. */
  readonly patterns: Groups | undefined;
}

const MAX_CATEGORIES = 50;
/** Rows from the start that tell a column of ids: no two of them alike. */
const ALL_DIFFERENT = 24;
/** Characters of a text that tell its pattern. */
const PATTERN_CHARS = 160;
/** Characters of a number written as a string, quotes included. */
const MAX_NUMBER_CHARS = 26;
const NUMBER_TEXT = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Looks at every value of a column once. */
export function profileOf(tape: Tape, column: Column): Profile {
  const { cells } = column;
  const limit = Math.min(MAX_CATEGORIES, cells.length >> 2);
  const numbers = numbersOf(tape, cells);
  const categories = categoriesOf(tape, cells, limit);
  const hasPatterns = categories === undefined && numbers === undefined &&
    !areDates(tape, cells) &&
    !cells.some((node) => node !== 0 && isContainer(tape.kind[node]!));
  const patterns = hasPatterns ? patternsOf(tape, cells, limit) : undefined;
  return { column, numbers, categories, patterns };
}

/** Groups of the same raw text; `undefined` when there are more than `limit`. */
function categoriesOf(
  tape: Tape,
  cells: Int32Array,
  limit: number,
): Groups | undefined {
  const { text, start, end } = tape;
  const of = new Uint8Array(cells.length);
  const first: number[] = [];
  const sizes: number[] = [];
  const known = new Map<string, number>();
  // The last group with a value of this hash; only a guess, so it is compared.
  const guesses = new Uint8Array(256);
  for (let i = 0; i < cells.length; i++) {
    const node = cells[i]!;
    const from = start[node]!;
    const size = node === 0 ? 0 : end[node]! - from;
    const hash = size === 0
      ? 0
      : (size * 7 + text.charCodeAt(from + size - 2) * 31 +
        text.charCodeAt(from + (size >> 1))) & 255;
    let group = guesses[hash]!;
    const model = group < first.length ? cells[first[group]!]! : -1;
    const isSame = model >= 0 &&
      size === (model === 0 ? 0 : end[model]! - start[model]!) &&
      isSameText(text, start[model]!, from, size);
    if (!isSame) {
      const key = text.slice(from, from + size);
      group = known.get(key) ?? first.length;
      if (group === first.length) {
        if (group === limit) return undefined;
        if (group === ALL_DIFFERENT && i === group) return undefined;
        known.set(key, group);
        first.push(i);
        sizes.push(0);
      }
      guesses[hash] = group;
    }
    of[i] = group;
    sizes[group]!++;
  }
  return { of, first, sizes };
}

function isSameText(text: string, a: number, b: number, size: number): boolean {
  for (let i = 0; i < size; i++) {
    if (text.charCodeAt(a + i) !== text.charCodeAt(b + i)) return false;
  }
  return true;
}

/** Groups of the same pattern; `undefined` when there are more than `limit`. */
function patternsOf(
  tape: Tape,
  cells: Int32Array,
  limit: number,
): Groups | undefined {
  const of = new Uint8Array(cells.length);
  const first: number[] = [];
  const sizes: number[] = [];
  const known = new Map<number, number>();
  let latest = NaN;
  let group = 0;
  for (let i = 0; i < cells.length; i++) {
    const pattern = patternOf(tape, cells[i]!);
    if (pattern !== latest) {
      latest = pattern;
      group = known.get(pattern) ?? first.length;
      if (group === first.length) {
        if (group === limit) return undefined;
        known.set(pattern, group);
        first.push(i);
        sizes.push(0);
      }
    }
    of[i] = group;
    sizes[group]!++;
  }
  return { of, first, sizes };
}

/** Whether all values look like dates in ISO form: their pattern tells nothing. */
function areDates(tape: Tape, cells: Int32Array): boolean {
  return cells.every((node) => isLikeDate(tape, node));
}

function isLikeDate(tape: Tape, node: number): boolean {
  const { text } = tape;
  const start = tape.start[node]! + 1;
  const size = tape.end[node]! - 1 - start;
  return tape.kind[node] === STRING && size >= 10 && size < 40 &&
    text.charCodeAt(start + 4) === 0x2d &&
    text.charCodeAt(start + 7) === 0x2d;
}

/** Content of a string that may be a date: dates in ISO form sort as text. */
export function dateOf(tape: Tape, node: number): string | undefined {
  return isLikeDate(tape, node)
    ? tape.text.slice(tape.start[node]! + 1, tape.end[node]! - 1)
    : undefined;
}

/** Values of a column of numbers, or of strings that are all numbers. */
function numbersOf(tape: Tape, cells: Int32Array): Float64Array | undefined {
  const numbers = new Float64Array(cells.length).fill(NaN);
  let present = 0;
  for (let i = 0; i < cells.length; i++) {
    const node = cells[i]!;
    if (node === 0) continue;
    const number = numberOf(tape, node);
    if (number === undefined) return undefined;
    numbers[i] = number;
    present++;
  }
  return present === 0 ? undefined : numbers;
}

function numberOf(tape: Tape, node: number): number | undefined {
  const start = tape.start[node]!;
  const end = tape.end[node]!;
  if (tape.kind[node] === NUMBER) return Number(tape.text.slice(start, end));
  if (tape.kind[node] !== STRING || end - start > MAX_NUMBER_CHARS) {
    return undefined;
  }
  const content = tape.text.slice(start + 1, end - 1);
  return NUMBER_TEXT.test(content) ? Number(content) : undefined;
}

/** Hash of a text in which all words with a digit are alike. */
function patternOf(tape: Tape, node: number): number {
  const kind = tape.kind[node]!;
  if (node === 0 || (kind !== STRING && kind !== ESCAPED)) return -kind - 1;
  const { text } = tape;
  const start = tape.start[node]! + 1;
  const end = Math.min(tape.end[node]! - 1, start + PATTERN_CHARS);
  let hash = 0;
  let before = 0;
  let inWord = false;
  let hasDigit = false;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    const isDigit = code >= 0x30 && code <= 0x39;
    const lower = code | 0x20;
    if (isDigit || (lower >= 0x61 && lower <= 0x7a) || code > 0x7f) {
      if (!inWord) {
        before = hash;
        hasDigit = false;
        inWord = true;
      }
      hasDigit ||= isDigit;
    } else {
      if (inWord && hasDigit) hash = Math.imul(before, 31) + 1 | 0;
      inWord = false;
    }
    hash = Math.imul(hash, 31) + code | 0;
  }
  if (inWord && hasDigit) hash = Math.imul(before, 31) + 1 | 0;
  return hash >>> 0;
}
