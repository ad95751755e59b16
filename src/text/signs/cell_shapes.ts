/** Which cells of a column are of another shape than the others: a word among numbers, another form of a date. @module */
import type { Standout } from "../series.ts";
import { DIGIT, KINDS, OTHER } from "../words.ts";
import { groupsOf, type RowGroups } from "./columns.ts";

/** Characters of a cell that are looked at. */
const LOOKED_AT = 120;
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const MINUS = 45;
const PLUS = 43;
const DOT = 46;
/** Stand for a word, and for letters in one. */
const WORD = 256;
const TEXT = 257;
/** Digits of a word in quotes, or of one alone, that may be an id, by chance without letters. */
const ID_DIGITS = 7;
const LONG_ID = 12;
/** Shapes of numbers. */
const WHOLE = 1;
const FRACTION = 2;
/** Share of the rows that must have the usual shape, and up to which another one is odd. */
const USUAL_SHARE = 0.9;
const ODD_SHARE = 0.02;
/** Odd shapes of a column that are given. */
const MOST_ODD = 3;

/**
 * The shape of `codes[start, end)`: a whole number, one with a fraction, or the signs between its words, and whether
 * these have letters. O(1).
 */
export function shapeOf(
  codes: Uint8Array,
  start: number,
  end: number,
): number {
  const stop = Math.min(end, start + LOOKED_AT);
  let hash = SEED;
  let words = 0;
  let points = 0;
  let others = 0;
  let hasLetter = false;
  let longest = 0;
  for (let at = behindSign(codes, start, stop); at < stop;) {
    const from = at;
    for (let kind = KINDS[codes[at]!]!; kind !== OTHER;) {
      if (kind !== DIGIT) hasLetter = true;
      kind = ++at < stop ? KINDS[codes[at]!]! : OTHER;
    }
    if (at > from) {
      longest = Math.max(longest, at - from);
      words++;
      hash = Math.imul(hash ^ WORD, PRIME);
    } else {
      if (codes[at] === DOT) points++;
      else others++;
      hash = Math.imul(hash ^ codes[at++]!, PRIME);
    }
  }
  // An id has no letters by chance.
  if (hasLetter || longest >= LONG_ID) return Math.imul(hash ^ TEXT, PRIME);
  const isNumber = others === 0 && points < 2 && words > 0;
  if (isNumber) return points > 0 ? FRACTION : WHOLE;
  return longest >= ID_DIGITS ? Math.imul(hash ^ TEXT, PRIME) : hash;
}

/** Where a number goes on behind its sign; `start` where it has none. */
function behindSign(codes: Uint8Array, start: number, stop: number): number {
  const hasSign = codes[start] === MINUS || codes[start] === PLUS;
  return hasSign && stop - start > 1 ? start + 1 : start;
}

/**
 * The first row of each shape that few cells have, where nearly all others have one; the rarest first, at most three.
 *
 * @param shapes Groups of rows by shape. @param shapeAt The shape of a row: a whole number is usual among fractions.
 * O(groups).
 */
export function oddRows(
  { of, first, sizes }: RowGroups,
  shapeAt: (row: number) => number,
): Standout[] {
  const most = Math.max(...sizes);
  const usual = sizes.indexOf(most);
  const isFraction = shapeAt(first[usual] ?? 0) === FRACTION;
  const limit = Math.max(1, Math.floor(ODD_SHARE * of.length));
  const found: Standout[] = [];
  let same = most;
  for (const [group, size] of sizes.entries()) {
    if (group === usual) continue;
    const row = first[group] ?? 0;
    if (isFraction && shapeAt(row) === WHOLE) same += size;
    else if (size <= limit) found.push({ row, weight: 1 / size });
  }
  if (same < USUAL_SHARE * of.length) return [];
  return found.toSorted((a, b) => b.weight - a.weight || a.row - b.row)
    .slice(0, MOST_ODD);
}

/** The same for so many cells, by their shapes; none where they are too different to be grouped. O(cells). */
export function oddCells(
  count: number,
  shapeAt: (row: number) => number,
): readonly Standout[] {
  const shapes = new Int32Array(count);
  let others = 0;
  for (let row = 0; row < count; row++) {
    const shape = shapes[row] = shapeAt(row);
    if (shape !== shapes[0]) others++;
  }
  const groups = others === 0 ? undefined : groupsOf(shapes, (one) => one);
  return groups === undefined ? [] : oddRows(groups, (row) => shapes[row] ?? 0);
}
