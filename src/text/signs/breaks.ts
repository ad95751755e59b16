/** Where a series that rises or falls breaks off: a gap in times or numbers, a clock that goes back. @module */

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

/** A step of a series. */
interface Step {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/**
 * The rows on both sides of the largest breaks of a series that rises or falls but for a few values; none of others.
 *
 * @param numbers NaN stands for a value that is missing. @param isTime Of regular times one that is missing is a break.
 * O(n).
 */
export function breakRows(numbers: Float64Array, isTime: boolean): number[] {
  const steps: Step[] = [];
  let rises = 0;
  let last = -1;
  for (let row = 0; row < numbers.length; row++) {
    if (Number.isNaN(numbers[row])) continue;
    // What is missing between two values may explain their distance.
    const size = last === row - 1 && row > 0
      ? numbers[row]! - numbers[last]!
      : 0;
    if (size !== 0) steps.push({ from: last, to: row, size: Math.abs(size) });
    if (size > 0) rises++;
    last = row;
  }
  const { length } = steps;
  const sorted = Math.max(rises, length - rises);
  if (length < LEAST_STEPS || sorted < SORTED_SHARE * length) return [];
  const isDense = numbers.length - length <= 1 + FEW_SAME * numbers.length;
  const limit = limitOf(steps, isTime && isDense);
  return steps.filter(({ size }) => size > limit)
    .sort((a, b) => b.size - a.size || a.from - b.from)
    .slice(0, MOST_BREAKS)
    .flatMap(({ from, to }) => [from, to]);
}

/** The step beyond which one is a break. */
function limitOf(steps: readonly Step[], mayBeRegular: boolean): number {
  const every = Math.ceil(steps.length / SAMPLE);
  const sample = Float64Array.from(
    steps.filter((_, i) => i % every === 0),
    ({ size }) => size,
  ).sort();
  const end = Math.floor(USUAL * (sample.length - 1));
  const most = sample[end]!;
  const least = sample[Math.floor(SMALL * (sample.length - 1))]!;
  if (mayBeRegular && least >= REGULAR * most) return TIMES_REGULAR * most;
  const mean = sample.subarray(0, end + 1)
    .reduce((sum, one) => sum + one, 0) / (end + 1);
  return Math.max(TIMES_MEAN * mean, TIMES_MOST * most);
}
