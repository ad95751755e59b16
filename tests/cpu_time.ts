/**
 * Compares what two pieces of work cost, in CPU time of this process: on a busy machine both wait longer, and neither
 * costs more.
 */
import assert from "node:assert/strict";
import process from "node:process";

/** Milliseconds of CPU time that a measurement takes at least: shorter ones say nothing. */
const LEAST_MS = 4;

/** Measurements of each piece of work, in turns; the cheapest of each counts. */
const TRIES = 8;

type Work = () => unknown;

/** What is compared. */
export interface Comparison {
  /** The work whose cost is in question. */
  readonly work: Work;
  /** What it is compared with; has been run before. */
  readonly base: Work;
}

/**
 * How many times the CPU time of `base` the work takes. What may be a promise is awaited.
 *
 * The first measurement of `base` is as short as can be measured. The later ones take about as long as those of the
 * work: a busy machine lends a whole core for a few milliseconds now and then, but never for a second.
 *
 * @param limit No more measurements are made once the result is not above it.
 */
export async function costRatio(
  { work, base }: Comparison,
  limit: number,
): Promise<number> {
  let runs = await runsOf(base);
  let least = { base: await costOf(base, runs) / runs, work: Infinity };
  for (let i = 0; i < TRIES; i++) {
    least.work = Math.min(least.work, await longEnough(work));
    if (least.work <= limit * least.base) break;
    if (i === 0) {
      runs = Math.max(runs, Math.round(least.work / least.base));
      least = { base: Infinity, work: Infinity };
    }
    least.base = Math.min(least.base, await costOf(base, runs) / runs);
  }
  return least.work / least.base;
}

/** Cost per unit may grow by this factor: larger texts miss the caches of the processor more often. */
const MAX_GROWTH = 5;

/** Work on texts of several sizes. */
export interface Growth {
  /** Makes a text of a size, in any unit. */
  make(size: number): string;
  /** What is done with a text. */
  work(text: string): unknown;
  /** Smallest first; the largest must be so much larger that quadratic work exceeds {@linkcode MAX_GROWTH} by far. */
  readonly sizes: readonly [number, ...number[]];
}

/** Requires that the cost of the work is in proportion to the size of its text. */
export async function assertLinear(
  name: string,
  { make, work, sizes: [small, ...larger] }: Growth,
): Promise<void> {
  const text = make(small);
  work(text);
  for (const size of larger) {
    const large = make(size);
    const limit = MAX_GROWTH * size / small;
    const ratio = await costRatio({
      work: () => work(large),
      base: () => work(text),
    }, limit);
    assert(
      ratio <= limit,
      `${name}: ${ratio.toFixed()} times the CPU time for ${
        size / small
      } times the size`,
    );
  }
}

/**
 * How often the text is doubled, and the factor that one doubling may cost: a little more than twice, for the same
 * reason. First from the size that is asked for, so closely that steps look like slopes; then, if that was too steep,
 * from a size that is too large for the caches of the processor: leaving them is a step, not a slope. That is measured
 * twice: a collection of garbage comes once, a slope each time. Together they find squares of 6e-7 of the linear part and
 * more.
 */
const DOUBLINGS = [
  { from: 1, times: 4, factor: 2.13 },
  { from: 16, times: 3, factor: 2.2 },
  { from: 16, times: 3, factor: 2.2 },
] as const;

/** No step explains so high a factor of one doubling. */
const CERTAIN = 3;

/**
 * Finds work whose cost more than doubles when its text doubles: by more than a tenth on average.
 *
 * @returns The factor of one doubling; `undefined` where it is not too high.
 */
export async function tooSteep(
  { make, work }: Pick<Growth, "make" | "work">,
  small: number,
): Promise<number | undefined> {
  let steepest = 0;
  for (const { from, times, factor } of DOUBLINGS) {
    const limit = factor ** times;
    const base = make(from * small);
    const large = make(from * small * 2 ** times);
    work(base);
    const ratio = await costRatio({
      work: () => work(large),
      base: () => work(base),
    }, limit);
    if (ratio <= limit) return undefined;
    steepest = ratio ** (1 / times);
    if (steepest >= CERTAIN) break;
  }
  return steepest;
}

/** Runs that take long enough to be measured. */
async function runsOf(work: Work): Promise<number> {
  let runs = 1;
  while (await costOf(work, runs) < LEAST_MS) runs *= 2;
  return runs;
}

/** Milliseconds of one run; repeated where one is too short to be measured. */
async function longEnough(work: Work): Promise<number> {
  const once = await costOf(work, 1);
  if (once >= LEAST_MS) return once;
  const runs = await runsOf(work);
  return await costOf(work, runs) / runs;
}

/** Milliseconds of CPU time of so many runs. */
async function costOf(work: Work, runs: number): Promise<number> {
  const from = cpuMs();
  for (let i = 0; i < runs; i++) {
    const ended = work();
    if (ended instanceof Promise) await ended;
  }
  return cpuMs() - from;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
