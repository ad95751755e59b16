/** How values are spread. @module */

/** Percentiles are values that were met: the nearest rank. `null` where there are no values. */
export interface Spread {
  /** Values. */
  readonly count: number;
  /** Their average. */
  readonly avg: number | null;
  /** Half of them are not greater. */
  readonly p50: number | null;
  /** Nine of ten are not greater. */
  readonly p90: number | null;
  /** 95 of 100 are not greater. */
  readonly p95: number | null;
  /** 99 of 100 are not greater. */
  readonly p99: number | null;
  /** The greatest. */
  readonly max: number | null;
}

/** The spread of some values, to three decimals. Sorts `values` in place. */
export function spreadOf(values: number[]): Spread {
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
