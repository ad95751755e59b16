/** What the values of one column are like: numbers, a few categories, or text. @module */
import type { Column } from "./column.ts";
import { ESCAPED, isContainer, NUMBER, STRING, type Tape } from "./tape.ts";

/** Statistics of one column over `n` rows. */
export interface Profile {
  /** The column. */
  readonly column: Column;
  /** Value of each row, NaN where there is none; only when all values are numbers. */
  readonly numbers: Float64Array | undefined;
  /** Rows of each distinct raw text, a missing value being the empty text; only when there are few. */
  readonly categories: ReadonlyMap<string, readonly number[]> | undefined;
  /** Rows of each pattern of text, words with digits being alike; only for text with few patterns. */
  readonly patterns: ReadonlyMap<number, readonly number[]> | undefined;
}

const MAX_CATEGORIES = 50;
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
  const categories = grouped(
    cells,
    limit,
    (node) =>
      node === 0 ? "" : tape.text.slice(tape.start[node], tape.end[node]),
  );
  const patterns = categories !== undefined || numbers !== undefined ||
      cells.some((node) => node !== 0 && isContainer(tape.kind[node]!))
    ? undefined
    : grouped(cells, limit, (node) => patternOf(tape, node));
  return { column, numbers, categories, patterns };
}

/** Rows by key, in order of appearance; `undefined` when there are more than `limit` keys. */
function grouped<Key>(
  cells: Int32Array,
  limit: number,
  keyOf: (node: number) => Key,
): Map<Key, number[]> | undefined {
  const groups = new Map<Key, number[]>();
  for (let i = 0; i < cells.length; i++) {
    const key = keyOf(cells[i]!);
    const rows = groups.get(key);
    if (rows !== undefined) rows.push(i);
    else if (groups.size === limit) return undefined;
    else groups.set(key, [i]);
  }
  return groups;
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
