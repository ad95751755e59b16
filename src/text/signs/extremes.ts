/** Numbers of a field that are far from all others, by their median absolute deviation. @module */
import type { Standout } from "../series.ts";

/** Fewer values tell nothing about what is usual. */
export const LEAST_VALUES = 20;
/** Most extreme values of each end that are given. */
export const MOST_EXTREMES = 3;
/** Standard deviations, estimated by the median absolute one, that an extreme is away from the median. */
const FAR = 8;
/** How much further than the twentieth part of the values that are furthest. */
const BEYOND = 2;
const MOST_USUAL = 0.95;
const MAD_TO_SIGMA = 1.4826;
const MEAN_TO_SIGMA = 1.2533;
/** Share of negative values up to which a negative one is an extreme. */
const FEW = 0.02;
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
  const positive = sample.subarray(negative).filter((value) => value > 0);
  const logs = positive.map(Math.log);
  const logMedian = logs[logs.length >> 1] ?? 0;
  return {
    median,
    reach: reachOf(sample, median),
    logMedian,
    logReach: isPositive ? reachOf(logs, logMedian) : Infinity,
    isPositive,
  };
}

/** How far beyond its range a value is: above 1 for an extreme one, 0 for a usual one. */
export function excessOf(value: number, range: Range): number {
  const { median, reach, logMedian, logReach, isPositive } = range;
  if (isPositive && value < 0) return Infinity;
  const distance = Math.abs(value - median) / reach;
  if (distance > 1) return distance;
  if (!(isPositive && value > 0 && value < median)) return 0;
  const ratio = (logMedian - Math.log(value)) / logReach;
  return ratio > 1 ? ratio : 0;
}

/**
 * The extremes of a series, at most three of each end, in no order.
 *
 * @param numbers NaN stands for a value that is missing. @returns Nothing for fewer than 20 values. O(n).
 */
export function extremesOf(numbers: Float64Array): Standout[] {
  const values = numbers.filter((value) => !Number.isNaN(value));
  if (values.length < LEAST_VALUES) return [];
  const step = Math.max(1, Math.ceil(values.length / SAMPLE));
  const range = rangeOf(values.filter((_, i) => i % step === 0));
  if (range === undefined) return [];
  const ends: [low: Standout[], high: Standout[]] = [[], []];
  for (let row = 0; row < numbers.length; row++) {
    const value = numbers[row]!;
    const weight = Number.isNaN(value) ? 0 : excessOf(value, range);
    if (weight === 0) continue;
    const end = ends[value < range.median ? 0 : 1];
    const place = end.findIndex((other) => other.weight < weight);
    if (place < 0 && end.length >= MOST_EXTREMES) continue;
    end.splice(place < 0 ? end.length : place, 0, { row, weight });
    end.length = Math.min(end.length, MOST_EXTREMES);
  }
  return ends.flat();
}

/** Distance beyond which a value is extreme. */
function reachOf(sorted: Float64Array, median: number): number {
  const distances = sorted.map((value) => Math.abs(value - median)).sort();
  const { length } = distances;
  if (length === 0) return Infinity;
  let sigma = MAD_TO_SIGMA * distances[length >> 1]!;
  if (sigma === 0) {
    const usual = distances.subarray(0, Math.ceil(MOST_USUAL * length));
    sigma = MEAN_TO_SIGMA * usual.reduce((sum, one) => sum + one, 0) /
      usual.length;
  }
  const most = distances[Math.floor(MOST_USUAL * (length - 1))]!;
  const reach = Math.max(FAR * sigma, BEYOND * most);
  return reach > 0 ? reach : Infinity;
}
