/** Numbers of a field that are far from all others, by their median absolute deviation. @module */
import type { Standout } from "../series.ts";

/** From so many values on their spread says what is usual. */
export const LEAST_VALUES = 20;
/** Of fewer values, down to so many, one is extreme if it is so many times larger or smaller than all others. */
export const FEWEST_VALUES = 8;
const TIMES = 10;
/** Most extreme values of each end that are given. */
export const MOST_EXTREMES = 3;
/** Standard deviations, estimated by the median absolute one, that an extreme is away from the median. */
const FAR = 8;
/** How much further than the twentieth part of the values that are furthest. */
const BEYOND = 2;
/** The same for logarithms of large values, which must be far in both ways. */
const LOG_FAR = 4;
const LOG_BEYOND = 1.75;
const MOST_USUAL = 0.95;
const MAD_TO_SIGMA = 1.4826;
const MEAN_TO_SIGMA = 1.2533;
/** Share of negative values up to which a negative one is an extreme. */
const FEW = 0.02;
/** Zeros, and their share, up to which one is an extreme among positive values, all of which are at least this share of the median. */
const FEW_ZEROS = 3;
const ZERO_SHARE = 0.005;
const LEAST_OF_MEDIAN = 0.02;
/** Values that are looked at to know what is usual. */
const SAMPLE = 512;

/** Where the values of a field usually lie. */
export interface Range {
  readonly median: number;
  /** Distance from the median beyond which a value is extreme. */
  readonly reach: number;
  /** The same for logarithms of positive values. */
  readonly logMedian: number;
  readonly logReach: number;
  /** Least logarithm of a large value that is extreme, where the values above the median differ by factors. */
  readonly leastLog: number;
  /** Whether negative values are rare. */
  readonly isPositive: boolean;
}

/** The usual range of a sample; `undefined` when all values are equal. Sorts `sample`. O(n log n). */
export function rangeOf(sample: Float64Array): Range | undefined {
  sample.sort();
  const { length } = sample;
  if (length === 0 || sample[0] === sample[length - 1]) return undefined;
  const median = sample[length >> 1]!;
  let negative = 0;
  while (negative < length && sample[negative]! < 0) negative++;
  const isPositive = median > 0 && negative <= Math.max(2, FEW * length);
  let first = negative;
  while (first < length && sample[first] === 0) first++;
  const logs = new Float64Array(length - first);
  for (let i = first; i < length; i++) logs[i - first] = Math.log(sample[i]!);
  const logMedian = logs[logs.length >> 1] ?? 0;
  const logSpread = spreadOf(logs.subarray(logs.length >> 1), logMedian);
  return {
    median,
    reach: reachOf(sample, median),
    logMedian,
    logReach: isPositive ? reachOf(logs, logMedian) : Infinity,
    leastLog: logMedian +
      Math.min(LOG_FAR * logSpread.sigma, LOG_BEYOND * logSpread.most),
    isPositive,
  };
}

/** How far beyond its range a value is: above 1 for an extreme one, 0 for a usual one. */
export function excessOf(value: number, range: Range): number {
  const { median, reach, logMedian, logReach, leastLog, isPositive } = range;
  if (isPositive && value < 0) return Infinity;
  const distance = Math.abs(value - median) / reach;
  const isLarge = value > median;
  if (distance > 1) {
    return isPositive && isLarge && Math.log(value) < leastLog ? 0 : distance;
  }
  if (!isPositive || isLarge || value <= 0) return 0;
  const ratio = (logMedian - Math.log(value)) / logReach;
  return ratio > 1 ? ratio : 0;
}

/** The one value among a few that is far larger or smaller than all others; `undefined` for none. Sorts `few`. */
export function extremeOfFew(few: Float64Array): number | undefined {
  few.sort();
  const { length } = few;
  if (length < FEWEST_VALUES) return undefined;
  const least = few[0]!;
  const second = few[1]!;
  const most = few[length - 1]!;
  const next = few[length - 2]!;
  if (most > 0 && most >= TIMES * Math.max(next, -least)) return most;
  if (least < 0 && (second > 0 || -least >= TIMES * Math.max(most, -second))) {
    return least;
  }
  return least > 0 && TIMES * least <= second ? least : undefined;
}

/**
 * The extremes of a series, at most three of each end, in no order.
 *
 * @param numbers NaN stands for a value that is missing. @returns Nothing for fewer than 8 values. O(n).
 */
export function extremesOf(numbers: Float64Array): Standout[] {
  const values = numbers.filter((value) => !Number.isNaN(value));
  if (values.length < LEAST_VALUES) {
    const extreme = extremeOfFew(values);
    return extreme === undefined
      ? []
      : [{ row: numbers.indexOf(extreme), weight: TIMES }];
  }
  const step = Math.max(1, Math.ceil(values.length / SAMPLE));
  const range = rangeOf(values.filter((_, i) => i % step === 0));
  if (range === undefined) return [];
  const isZeroRare = range.isPositive && areZerosRare(values, range.median);
  const ends: [low: Standout[], high: Standout[]] = [[], []];
  for (let row = 0; row < numbers.length; row++) {
    const value = numbers[row]!;
    const weight = Number.isNaN(value)
      ? 0
      : excessOf(value, range) || (value === 0 && isZeroRare ? 1 : 0);
    if (weight === 0) continue;
    const end = ends[value < range.median ? 0 : 1];
    const place = end.findIndex((other) => other.weight < weight);
    if (place < 0 && end.length >= MOST_EXTREMES) continue;
    end.splice(place < 0 ? end.length : place, 0, { row, weight });
    end.length = Math.min(end.length, MOST_EXTREMES);
  }
  return ends.flat();
}

/** Nothing left, nothing done: whether a zero, though not far from the others, is another state than all of them. */
function areZerosRare(values: Float64Array, median: number): boolean {
  let zeros = 0;
  let least = Infinity;
  for (const value of values) {
    if (value === 0) zeros++;
    else if (value > 0 && value < least) least = value;
  }
  return zeros <= Math.min(FEW_ZEROS, ZERO_SHARE * values.length) &&
    least >= LEAST_OF_MEDIAN * median;
}

/** Distance beyond which a value is extreme. */
function reachOf(sorted: Float64Array, median: number): number {
  const { sigma, most } = spreadOf(sorted, median);
  const reach = Math.max(FAR * sigma, BEYOND * most);
  return reach > 0 ? reach : Infinity;
}

/** Standard deviation by the median distance, and the distance of the twentieth part of the values that are furthest. */
function spreadOf(
  sorted: Float64Array,
  median: number,
): { readonly sigma: number; readonly most: number } {
  const { length } = sorted;
  if (length === 0) return { sigma: 0, most: 0 };
  let above = 0;
  while (above < length && sorted[above]! < median) above++;
  let below = above - 1;
  // The distances on either side rise: the smaller one is next.
  const distances = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const left = below < 0 ? Infinity : median - sorted[below]!;
    const right = above >= length ? Infinity : sorted[above]! - median;
    distances[i] = Math.min(left, right);
    if (left < right) below--;
    else above++;
  }
  let sigma = MAD_TO_SIGMA * distances[length >> 1]!;
  if (sigma === 0) {
    const usual = distances.subarray(0, Math.ceil(MOST_USUAL * length));
    sigma = MEAN_TO_SIGMA * usual.reduce((sum, one) => sum + one, 0) /
      usual.length;
  }
  return { sigma, most: distances[Math.floor(MOST_USUAL * (length - 1))]! };
}
