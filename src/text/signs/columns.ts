/** Columns of few different values: rows that are alike, and the first row of each rare value. @module */
import { codeAt } from "../lines.ts";
import type { Standout } from "../series.ts";
import { DIGIT, isWord, KINDS } from "../words.ts";

/** Share of the rows up to which a value is rare, and up to which all rare values together are. */
const RARE_SHARE = 0.02;
const ALL_RARE_SHARE = 0.2;
/** Different values of a column that are counted. */
const MAX_VALUES = 50;
/** Of more values one is rare only if it is a quarter as frequent as the others, and few are. */
const TYPICAL_SHARE = 0.25;
const MOST_OF_MANY = 5;
/** Rows from the start that tell a column of ids: no two of them alike. */
const ALL_DIFFERENT = 24;
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const ZERO = 48;

/** Rows that are alike, in order of appearance. */
export interface RowGroups {
  /** Group of each row. */
  readonly of: Uint8Array;
  /** First row of each group. */
  readonly first: readonly number[];
  /** Rows in each group. */
  readonly sizes: readonly number[];
}

/**
 * Groups rows by what they hold.
 *
 * @param cells One per row; 0 for none. @param keyOf What a cell holds, or its hash. @param most Groups up to which ids are not looked for, at most 255.
 * @returns `undefined` when there are too many groups. O(cells).
 */
export function groupsOf(
  cells: Int32Array,
  keyOf: (cell: number) => number | string,
  most?: number,
): RowGroups | undefined {
  const limit = Math.min(most ?? MAX_VALUES, cells.length >> 2);
  const of = new Uint8Array(cells.length);
  const first: number[] = [];
  const sizes: number[] = [];
  const known = new Map<number | string, number>();
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row] ?? 0;
    const key = cell === 0 ? 0 : keyOf(cell);
    let group = known.get(key);
    if (group === undefined) {
      group = first.length;
      const isId = group === ALL_DIFFERENT && row === group;
      if (group === limit || (isId && most === undefined)) {
        return undefined;
      }
      known.set(key, group);
      first.push(row);
      sizes.push(0);
    }
    of[row] = group;
    sizes[group] = (sizes[group] ?? 0) + 1;
  }
  return { of, first, sizes };
}

/** The first row of each rare value; none when too many rows have one. O(rows). */
export function rareRows(groups: RowGroups | undefined): Standout[] {
  if (groups === undefined) return [];
  const { of, first, sizes } = groups;
  const isVaried = sizes.length > MAX_VALUES;
  const share = isVaried ? TYPICAL_SHARE / sizes.length : RARE_SHARE;
  const least = Math.min(share, RARE_SHARE) * of.length;
  const limit = Math.max(1, Math.floor(least));
  const found: Standout[] = [];
  let rows = 0;
  for (const [group, size] of sizes.entries()) {
    if (size > limit) continue;
    rows += size;
    found.push({ row: first[group] ?? 0, weight: 1 / size });
  }
  const isUsual = rows > ALL_RARE_SHARE * of.length ||
    isVaried && found.length > MOST_OF_MANY;
  return isUsual ? [] : found;
}

/** Hash of `codes[start, end)`. O(end - start). */
export function hashOf(codes: Uint8Array, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ codes[at]!, PRIME);
  }
  return hash;
}

/** The same, but words with digits are all alike. O(end - start). */
export function patternOf(
  codes: Uint8Array,
  start: number,
  end: number,
): number {
  let hash = SEED;
  for (let at = start; at < end;) {
    let word = hash;
    let hasDigit = false;
    let to = at;
    for (; to < end && isWord(codes[to]!); to++) {
      word = Math.imul(word ^ codes[to]!, PRIME);
      hasDigit ||= codeAt(KINDS, codes[to]!) === DIGIT;
    }
    hash = hasDigit ? Math.imul(hash ^ ZERO, PRIME) : word;
    if (to === at) hash = Math.imul(hash ^ codes[to++]!, PRIME);
    at = to;
  }
  return hash;
}
