/** Figures of values and of tokens, in the words of the JSON of `svc perf`. @module */

import { percentOf } from "../../core/percent.ts";

/** What takes longer than half a second is felt, in milliseconds. */
export const SLOW_MS = 500;

/** How values are spread; `null` where there are none. */
export type Spread = ReturnType<typeof spreadOf>;

/** The same of milliseconds, with the number of those above 500. */
export type TimeSpread = ReturnType<typeof timeSpread>;

/** Tokens as received and as sent, by our counter. */
export type TokenFigures = ReturnType<typeof tokenFigures>;

/**
 * The spread of some values, to three decimals. Percentiles are values that were met: the nearest rank. Sorts `values`
 * in place.
 */
export function spreadOf(values: number[]) {
  values.sort((a, b) => a - b);
  const { length } = values;
  const at = (share: number) =>
    length === 0 ? null : rounded(values[Math.ceil(share * length) - 1]!);
  const sum = values.reduce((total, value) => total + value, 0);
  return {
    count: length,
    avg: length === 0 ? null : rounded(sum / length),
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
  };
}

/** Three decimals: beyond them there is only noise of floating point. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The spread of milliseconds. */
export function timeSpread(values: number[]) {
  const over_500_ms = values.filter((value) => value > SLOW_MS).length;
  return { ...spreadOf(values), over_500_ms };
}

/** Tokens before and after, what was saved, and its share in percent. */
export function tokenFigures(before: number, after: number) {
  return {
    tokens_before: before,
    tokens_after: after,
    tokens_saved: before - after,
    savings_percent: percentOf(before - after, before),
  };
}
