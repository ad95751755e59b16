/** Bars or a line over time. What it shows is said in words and in a table too. @module */
import { useEffect, useRef, useState } from "preact/hooks";
import { scaleOf } from "./scale.ts";

/** One step. */
export interface Point {
  /** Unique. */
  readonly key: string;
  /** Labels stand where it is a multiple of the distance between them. */
  readonly order: number;
  /** What the step is called in a sentence. */
  readonly name: string;
  /** And below the axis. */
  readonly tick: string;
  /** How much; `null` for what nobody knows. */
  readonly value: number | null;
}

/** Properties of {@linkcode Chart}. */
export interface ChartProps {
  /** What is shown, for those who do not see it. */
  readonly label: string;
  /** The oldest first. */
  readonly points: readonly Point[];
  /** Bars for what happened in a step, a line for where a total stands. */
  readonly kind: "bars" | "line";
  /** Colour: tokens in the first, money in the second. */
  readonly tone: "accent" | "second";
  /** Height in pixels without the axis. */
  readonly height: number;
  /** Smallest distance between two lines. */
  readonly least: number;
  /** A value in a sentence. */
  readonly show: (value: number | null) => string;
  /** A value at the axis. */
  readonly showTick: (value: number) => string;
}

const LEFT = 58;
const TOP = 8;
const BELOW = 20;
/** Pixels that a label below the axis needs. */
const TICK_WIDTH = 62;
/** Steps between two labels: parts of a day, where the steps are hours. */
const DISTANCES = [1, 2, 3, 6, 12, 24, 48, 96];

/** Draws the chart and, above it, the step under the pointer, else the last one. */
export function Chart(props: ChartProps) {
  const { points, show, tone, height, label } = props;
  const [over, setOver] = useState<number>();
  const [ref, width] = useWidth();
  const step = points.length === 0 ? 0 : (width - LEFT) / points.length;
  const read = points[over ?? points.length - 1];
  const move = (event: PointerEvent & { currentTarget: Element }) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const at = Math.floor((x - LEFT) / step);
    setOver(points[at] === undefined ? undefined : at);
  };
  return (
    <figure class="chart">
      <p class="readout small" aria-hidden="true">
        {read && (
          <>
            <span class="soft">{read.name}:</span> {show(read.value)}
          </>
        )}
      </p>
      <div ref={ref}>
        <svg
          class={tone}
          width={width}
          height={height + TOP + BELOW}
          role="img"
          aria-label={`${label}. ${inWords(props)}`}
          onPointerMove={move}
          onPointerLeave={() => setOver(undefined)}
        >
          <Drawing {...props} width={width} step={step} over={over} />
        </svg>
      </div>
    </figure>
  );
}

interface DrawingProps extends ChartProps {
  readonly width: number;
  readonly step: number;
  readonly over: number | undefined;
}

function Drawing(props: DrawingProps) {
  const { points, kind, height, showTick, width, step, over, least } = props;
  const { ticks, place } = scaleOf(
    points.map(({ value }) => value ?? 0),
    least,
  );
  const y = (value: number) => TOP + height * place(value);
  const fewest = TICK_WIDTH / (step || 1);
  const every = DISTANCES.find((n) => n >= fewest) ?? points.length;
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            class={tick === 0 ? "zero" : "gridline"}
            x1={LEFT}
            x2={width}
            y1={Math.round(y(tick))}
            y2={Math.round(y(tick))}
          />
          <text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
            {showTick(tick)}
          </text>
        </g>
      ))}
      {over !== undefined && (
        <rect
          class="cursor"
          x={LEFT + over * step}
          y={TOP}
          width={step}
          height={height}
        />
      )}
      {kind === "bars"
        ? <Bars points={points} step={step} y={y} />
        : <Line points={points} step={step} y={y} />}
      {points.map(({ key, tick, order }, i) =>
        order % every === 0 && i * step > TICK_WIDTH / 3 && (
          <text
            key={key}
            x={Math.min(LEFT + (i + 0.5) * step, width - 20)}
            y={TOP + height + 15}
            text-anchor="middle"
          >
            {tick}
          </text>
        )
      )}
    </>
  );
}

interface MarksProps {
  readonly points: readonly Point[];
  readonly step: number;
  readonly y: (value: number) => number;
}

function Bars({ points, step, y }: MarksProps) {
  const gap = step > 6 ? Math.min(6, step * 0.22) : step > 2 ? 0.8 : 0;
  const zero = y(0);
  return (
    <>
      {points.map(({ key, value }, i) => {
        if (value === 0 || value === null) return null;
        const size = Math.max(1, Math.abs(y(value) - zero));
        return (
          <rect
            key={key}
            class={value < 0 ? "bar-down" : "bar-up"}
            x={LEFT + i * step + gap / 2}
            y={value < 0 ? zero : zero - size}
            width={Math.max(0.5, step - gap)}
            height={size}
          />
        );
      })}
    </>
  );
}

function Line({ points, step, y }: MarksProps) {
  const x = (i: number) => (LEFT + (i + 0.5) * step).toFixed(1);
  const path = points.map(({ value }, i) =>
    `${x(i)},${y(value ?? 0).toFixed(1)}`
  )
    .join("L");
  if (points.length === 0) return null;
  const zero = y(0).toFixed(1);
  return (
    <>
      <path
        class="area"
        d={`M${x(0)},${zero}L${path}L${x(points.length - 1)},${zero}Z`}
      />
      <path class="line" d={`M${path}`} />
    </>
  );
}

function inWords({ points, show }: ChartProps): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return "Nothing yet";
  const highest = points.reduce((a, b) =>
    (b.value ?? 0) > (a.value ?? 0) ? b : a
  );
  return `From ${first.name} to ${last.name}; the most is ${
    show(highest.value)
  } (${highest.name}), the last is ${show(last.value)}`;
}

/** Width of an element in pixels, followed. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    if (ref.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(200, Math.floor(entry.contentRect.width)));
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
