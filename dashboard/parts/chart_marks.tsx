/** Bars and lines of a chart. @module */
import { LEFT } from "./scale.ts";

/** Colours, in the order in which series get them. */
export const FILLS = [
  "accent",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "rest",
] as const;

/** One of them, or that of what must not be. */
export type Fill = typeof FILLS[number] | "bad";

/** One figure over time. */
export interface Series {
  /** What it is called where there are several. */
  readonly name: string;
  /** Colour. */
  readonly fill: Fill;
  /** One per slot; `null` for what is unknown, or where there is none. */
  readonly values: readonly (number | null)[];
}

/** How high and how low the bars of a slot reach. */
export function stackEnds(
  series: readonly Series[],
  at: number,
): readonly [number, number] {
  const values = series.map(({ values }) => values[at] ?? 0);
  const sum = (sign: 1 | -1) =>
    values.reduce((sum, value) => value * sign > 0 ? sum + value : sum, 0);
  return [sum(1), sum(-1)];
}

/** Draws the bars of a slot, each on the one before, and the mark of what is missing. */
export function Stack({ series, at, step, y, isMissing }: {
  readonly series: readonly Series[];
  readonly at: number;
  readonly step: number;
  readonly y: (value: number) => number;
  readonly isMissing: boolean;
}) {
  const gap = step > 6 ? Math.min(6, step * 0.22) : step > 2 ? 0.8 : 0;
  const place = {
    x: LEFT + at * step + gap / 2,
    width: Math.max(0.5, Math.min(step - gap, 64)),
  };
  // A few wide steps have bars in their middle.
  place.x += (step - gap - place.width) / 2;
  let [high, low] = [0, 0];
  return (
    <>
      {series.map(({ name, fill, values }) => {
        const value = values[at] ?? 0;
        if (value === 0) return null;
        const from = value > 0 ? high : low;
        if (value > 0) high += value;
        else low += value;
        const [a, b] = [y(from), y(from + value)];
        const size = Math.max(1, Math.abs(a - b));
        return (
          <rect
            key={name}
            class={`svg-${value < 0 ? "bad" : fill}`}
            {...place}
            y={value > 0 ? a - size : a}
            height={size}
          />
        );
      })}
      {isMissing && (
        <rect class="missing" {...place} y={y(high) - 7} height={6} />
      )}
    </>
  );
}

/** A line with a gap where nothing is known; a point that stands alone is a dot. */
export function Line({ series: { values, fill }, step, y, hasArea }: {
  readonly series: Series;
  readonly step: number;
  readonly y: (value: number) => number;
  readonly hasArea: boolean;
}) {
  const x = (i: number) => (LEFT + (i + 0.5) * step).toFixed(1);
  const zero = y(0).toFixed(1);
  return (
    <>
      {runsOf(values).map((run) => {
        const [first, last] = [run[0]!, run.at(-1)!];
        const path = run.map(([i, value]) => `${x(i)},${y(value).toFixed(1)}`)
          .join("L");
        return (
          <g key={first[0]}>
            {hasArea && run.length > 1 && (
              <path
                class={`area svg-${fill}`}
                d={`M${x(first[0])},${zero}L${path}L${x(last[0])},${zero}Z`}
              />
            )}
            {run.length > 1
              ? <path class={`line stroke-${fill}`} d={`M${path}`} />
              : (
                <circle
                  class={`svg-${fill}`}
                  cx={x(first[0])}
                  cy={y(first[1])}
                  r={2.5}
                />
              )}
          </g>
        );
      })}
    </>
  );
}

/** Neighbouring values that are known, with their places. */
function runsOf(
  values: readonly (number | null)[],
): readonly (readonly (readonly [number, number])[])[] {
  const runs: [number, number][][] = [];
  for (const [i, value] of values.entries()) {
    if (value === null) continue;
    if (i > 0 && values[i - 1] !== null) runs.at(-1)!.push([i, value]);
    else runs.push([[i, value]]);
  }
  return runs;
}
