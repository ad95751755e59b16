/** Where a series that rises or falls breaks off: a gap in times or numbers, a clock that goes back. @module */
import { type Standout, weightiest } from "../series.ts";

/** Values that differ from the one before, of which the usual step is known. */
const LEAST_STEPS = 12;
/** Steps that are looked at to know what is usual. */
const SAMPLE = 512;
/** Share of the steps that must go in one direction. */
const SORTED_SHARE = 0.95;
/** How much larger than the mean and than nearly all others a step is that is a break. */
const TIMES_MEAN = 16;
const TIMES_MOST = 4;
/** The same where times are alike but for a fifth: one that is missing is a gap. */
const REGULAR = 0.8;
const TIMES_REGULAR = 1.5;
/** Share of values like the one before up to which times are regular. */
const FEW_SAME = 0.05;
/** Share of the steps that are usual, and that may be smaller than that. */
const USUAL = 0.95;
const SMALL = 0.05;
/** Breaks that are given, the largest. */
const MOST_BREAKS = 3;

/**
 * The rows on both sides of the largest breaks of a series that rises or falls but for a few values; none of others.
 *
 * @param numbers NaN stands for a value that is missing: no step leads to it. @param isTime Of regular times one that
 * is missing is a break. O(n).
 */
export function breakRows(numbers: Float64Array, isTime: boolean): number[] {
  let rises = 0;
  let falls = 0;
  for (let row = 1; row < numbers.length; row++) {
    const size = numbers[row]! - numbers[row - 1]!;
    if (size > 0) rises++;
    else if (size < 0) falls++;
  }
  const count = rises + falls;
  const most = Math.max(rises, falls);
  if (count < LEAST_STEPS || most < SORTED_SHARE * count) return [];
  const isDense = numbers.length - count <= 1 + FEW_SAME * numbers.length;
  const limit = limitOf(numbers, count, isTime && isDense);
  const direction = rises > falls ? 1 : -1;
  const gaps: Standout[] = [];
  const returns: Standout[] = [];
  for (let row = 1; row < numbers.length; row++) {
    const step = direction * (numbers[row]! - numbers[row - 1]!);
    if (step > limit) gaps.push({ row, weight: step });
    else if (step < -limit) returns.push({ row, weight: -step });
  }
  // What goes back again and again is as it should be.
  const found = returns.length > MOST_BREAKS ? gaps : [...gaps, ...returns];
  return weightiest(found, MOST_BREAKS).flatMap((row) => [row - 1, row]);
}

/** The step beyond which one is a break. @param count Steps that are not 0. */
function limitOf(
  numbers: Float64Array,
  count: number,
  mayBeRegular: boolean,
): number {
  const every = Math.ceil(count / SAMPLE);
  const sample = new Float64Array(Math.ceil(count / every));
  let at = 0;
  for (let row = 1; row < numbers.length; row++) {
    const size = Math.abs(numbers[row]! - numbers[row - 1]!);
    if (size > 0 && at++ % every === 0) sample[(at - 1) / every] = size;
  }
  sample.sort();
  const end = Math.floor(USUAL * (sample.length - 1));
  const most = sample[end]!;
  const least = sample[Math.floor(SMALL * (sample.length - 1))]!;
  if (mayBeRegular && least >= REGULAR * most) return TIMES_REGULAR * most;
  const mean = sample.subarray(0, end + 1)
    .reduce((sum, one) => sum + one, 0) / (end + 1);
  return Math.max(TIMES_MEAN * mean, TIMES_MOST * most);
}
