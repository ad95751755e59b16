/** From values to heights. @module */

/** Pixels left of a chart for what stands at its axis. */
export const LEFT = 58;

/** A vertical axis. */
export interface Scale {
  /** Values at which lines are drawn, from low to high; zero is one of them. */
  readonly ticks: readonly number[];
  /** Share of the height, from the top: 0 for the highest tick, 1 for the lowest. */
  readonly place: (value: number) => number;
}

/** Steps that people count in. */
const STEPS = [1, 2, 2.5, 5, 10];
/** Lines, roughly. */
const LINES = 4;

/**
 * The axis that holds zero and all values.
 *
 * @param least Smallest distance between two ticks.
 */
export function scaleOf(values: readonly number[], least: number): Scale {
  const high = Math.max(0, ...values);
  const low = Math.min(0, ...values);
  const rough = Math.max((high - low) / LINES, least);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (STEPS.find((n) => n * power >= rough) ?? 10);
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const ticks = Array.from(
    { length: last - first + 1 },
    (_, i) => (first + i) * step,
  );
  const top = last * step;
  const bottom = first * step;
  return { ticks, place: (value) => (top - value) / (top - bottom) };
}
