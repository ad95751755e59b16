/** Durations in bounded space: of one run sums, extremes, percentiles and a histogram; of hours bins. @module */
import type { Fields } from "./run_sums.ts";
import { round } from "./sums.ts";

/** Bounds of the histogram, in milliseconds: what a proxy adds is mostly below ten. */
const BOUNDS_MS: readonly number[] = [
  0.5,
  1,
  2.5,
  5,
  10,
  25,
  50,
  100,
  250,
  500,
  1000,
  2500,
  5000,
];

/** Steps that a doubling is divided into: neighbours differ by 4.4 %, so the middle of one is 2.2 % off at most. */
const STEPS = 16;
/** Durations below are taken for this one, in milliseconds. */
const SMALLEST_MS = 0.01;
/** Steps in all: up to 46 hours. */
const MAX_STEP = 34 * STEPS;

/** Milliseconds; all zero when there was no sample. */
export type DurationReport = Readonly<ReturnType<typeof durationReport>>;

/** What a duration adds, its step and the first bound that holds it among it; what is none (negative) counts as 0. */
export function durationFields(milliseconds: number): Fields {
  const ms = Math.max(0, milliseconds);
  const bound = BOUNDS_MS.findIndex((limit) => ms <= limit);
  return {
    sum: ms,
    count: 1,
    min: ms,
    max: ms,
    [`step${stepOf(ms)}`]: 1,
    [`bound${bound}`]: 1,
  };
}

/** Reports sums of {@linkcode durationFields}. */
export function durationReport(fields: Fields) {
  const { sum = 0, count = 0, min = 0, max = 0 } = fields;
  const [p50 = 0, p90 = 0, p95 = 0, p99 = 0] = percentiles(
    fields,
    [0.5, 0.9, 0.95, 0.99],
  );
  return {
    /** Sum of all samples. */
    sum_ms: round(sum),
    /** Arithmetic mean. */
    average_ms: count === 0 ? 0 : round(sum / count),
    /** Smallest. */
    min_ms: round(min),
    /** Largest. */
    max_ms: round(max),
    /** Half of the samples are at most this, within 2.5 %, as the other percentiles. */
    p50_ms: p50,
    /** 90 % of them. */
    p90_ms: p90,
    /** 95 % of them. */
    p95_ms: p95,
    /** 99 % of them. */
    p99_ms: p99,
    /** Number of samples. */
    total_requests: count,
  };
}

/** The histogram without its last bucket, infinity: that one has all samples. */
export function durationBuckets(
  fields: Fields,
): readonly { readonly le_ms: number; readonly requests: number }[] {
  let requests = 0;
  return BOUNDS_MS.map((le_ms, i) => {
    requests += fields[`bound${i}`] ?? 0;
    return { le_ms, requests };
  });
}

/** @param shares In ascending order, each from 0 to 1. */
function percentiles(
  fields: Fields,
  shares: readonly number[],
): readonly number[] {
  const { count = 0, min = 0, max = 0 } = fields;
  const steps = Object.entries(fields)
    .filter(([field]) => field.startsWith("step"))
    .map(([field, samples]) => [Number(field.slice(4)), samples] as const)
    .sort(([a], [b]) => a - b);
  let seen = 0;
  const found: number[] = [];
  for (const [step, samples] of steps) {
    seen += samples;
    while (
      found.length < shares.length && seen >= shares[found.length]! * count
    ) {
      // No sample lies outside of the extremes, so no percentile does.
      found.push(round(Math.min(max, Math.max(min, middleOf(step)))));
    }
  }
  return found;
}

function stepOf(ms: number): number {
  if (ms <= SMALLEST_MS) return 0;
  return Math.min(MAX_STEP, Math.floor(STEPS * Math.log2(ms / SMALLEST_MS)));
}

function middleOf(step: number): number {
  return SMALLEST_MS * 2 ** ((step + 0.5) / STEPS);
}

/** Steps that a doubling of a duration is divided into in the tables: the middle of one is at most 9 % off. */
const BINS_PER_DOUBLING = 4;
/** The first bin holds what is shorter, in milliseconds. */
const SHORTEST_MS = 0.1;
/** Where each bin begins, in milliseconds, up to 55 hours. */
export const BIN_STARTS: readonly number[] = Array.from(
  { length: 31 * BINS_PER_DOUBLING },
  (_, bin) => bin === 0 ? 0 : inBin(bin - 1),
);

function inBin(steps: number): number {
  return SHORTEST_MS * 2 ** (steps / BINS_PER_DOUBLING);
}

/** The bin of a duration in milliseconds. */
export function binOf(ms: number): number {
  return BIN_STARTS.findLastIndex((least) => least <= Math.max(0, ms));
}

/** A duration in the middle of a bin, in milliseconds. */
export function middleOfBin(bin: number): number {
  return bin === 0 ? SHORTEST_MS : inBin(bin - 0.5);
}
