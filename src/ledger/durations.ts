/** Durations of one run: sums, extremes, percentiles and a histogram, in bounded memory. @module */
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
export type DurationReport = Readonly<ReturnType<DurationCounts["report"]>>;

/** Running durations. */
export class DurationCounts {
  #sum = 0;
  #count = 0;
  #min = Infinity;
  #max = 0;
  /** Samples by step; at most {@linkcode MAX_STEP} entries. */
  readonly #steps = new Map<number, number>();
  /** Samples by the first bound that holds them; the last one is for those beyond. */
  readonly #bounds: number[] = new Array(BOUNDS_MS.length + 1).fill(0);

  /** Adds one; what is no duration (negative, not finite) counts as 0. */
  add(milliseconds: number): void {
    const ms = Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
    this.#sum += ms;
    this.#count++;
    this.#min = Math.min(this.#min, ms);
    this.#max = Math.max(this.#max, ms);
    const step = stepOf(ms);
    this.#steps.set(step, (this.#steps.get(step) ?? 0) + 1);
    const bound = BOUNDS_MS.findIndex((limit) => ms <= limit);
    const at = bound < 0 ? BOUNDS_MS.length : bound;
    this.#bounds[at] = (this.#bounds[at] ?? 0) + 1;
  }

  /** Snapshot. */
  report() {
    const [p50 = 0, p90 = 0, p95 = 0, p99 = 0] = this.#percentiles(
      [0.5, 0.9, 0.95, 0.99],
    );
    return {
      /** Sum of all samples. */
      sum_ms: round(this.#sum),
      /** Arithmetic mean. */
      average_ms: this.#count === 0 ? 0 : round(this.#sum / this.#count),
      /** Smallest. */
      min_ms: this.#count === 0 ? 0 : round(this.#min),
      /** Largest. */
      max_ms: round(this.#max),
      /** Half of the samples are at most this, within 2.5 %, as the other percentiles. */
      p50_ms: p50,
      /** 90 % of them. */
      p90_ms: p90,
      /** 95 % of them. */
      p95_ms: p95,
      /** 99 % of them. */
      p99_ms: p99,
      /** Number of samples. */
      total_requests: this.#count,
    };
  }

  /** The histogram without its last bucket, infinity: that one has all samples. */
  buckets(): readonly { readonly le_ms: number; readonly requests: number }[] {
    let requests = 0;
    return BOUNDS_MS.map((le_ms, i) => {
      requests += this.#bounds[i] ?? 0;
      return { le_ms, requests };
    });
  }

  /** @param shares In ascending order, each from 0 to 1. */
  #percentiles(shares: readonly number[]): readonly number[] {
    const steps = [...this.#steps].sort(([a], [b]) => a - b);
    let seen = 0;
    let next = 0;
    const found: number[] = [];
    for (const [step, samples] of steps) {
      seen += samples;
      while (next < shares.length && seen >= shares[next]! * this.#count) {
        // No sample lies outside of the extremes, so no percentile does.
        const ms = Math.min(this.#max, Math.max(this.#min, middleOf(step)));
        found.push(round(ms));
        next++;
      }
    }
    return found;
  }
}

function stepOf(ms: number): number {
  if (ms <= SMALLEST_MS) return 0;
  return Math.min(MAX_STEP, Math.floor(STEPS * Math.log2(ms / SMALLEST_MS)));
}

function middleOf(step: number): number {
  return SMALLEST_MS * 2 ** ((step + 0.5) / STEPS);
}
