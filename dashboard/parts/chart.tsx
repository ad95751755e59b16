/** Bars or lines over time. What it shows is said in words and in a table too. @module */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Slot } from "../range.ts";
import { Line, type Series, Stack, stackEnds } from "./chart_marks.tsx";
import { LEFT, scaleOf } from "./scale.ts";

/** Properties of {@linkcode Chart}. */
export interface ChartProps {
  /** What is shown, for those who do not see it. */
  readonly label: string;
  /** The oldest first. */
  readonly slots: readonly Slot[];
  /** Bars are stacked in their order. */
  readonly series: readonly Series[];
  /** Bars for what happened in a step, lines for what held in it. */
  readonly kind: "bars" | "lines";
  /** Height in pixels without the axis. */
  readonly height: number;
  /** Smallest distance between two lines of the grid. */
  readonly least: number;
  /** A value in a sentence. */
  readonly show: (value: number | null) => string;
  /** A value at the axis. */
  readonly showTick: (value: number) => string;
  /** Slots in which something is missing, e.g. the price of a request; they get a mark. */
  readonly missing?: readonly boolean[];
}

const TOP = 8;
const BELOW = 20;
/** Pixels that a label below the axis needs. */
const TICK_WIDTH = 62;
/** Steps between two labels: parts of a day, where the steps are hours. */
const DISTANCES = [1, 2, 3, 6, 12, 24, 48, 96];

/** Draws the chart and, above it, the step under the pointer, else the last one. */
export function Chart(props: ChartProps) {
  const { slots, height, label } = props;
  const [over, setOver] = useState<number>();
  const [ref, width] = useWidth();
  const step = slots.length === 0 ? 0 : (width - LEFT) / slots.length;
  const move = (event: PointerEvent & { currentTarget: Element }) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const at = Math.floor((x - LEFT) / step);
    setOver(slots[at] === undefined ? undefined : at);
  };
  return (
    <figure class="chart">
      <Readout {...props} at={over ?? slots.length - 1} />
      <div ref={ref}>
        <svg
          width={width}
          height={height + TOP + BELOW}
          role="img"
          aria-label={`${label}. ${inWords(props)}`}
          onPointerMove={move}
          onPointerDown={move}
          onPointerLeave={() => setOver(undefined)}
        >
          <Drawing {...props} width={width} step={step} over={over} />
        </svg>
      </div>
    </figure>
  );
}

function Readout(
  { slots, series, show, missing, at }: ChartProps & { readonly at: number },
) {
  const slot = slots[at];
  return (
    <p class="readout small" aria-hidden="true">
      {slot && (
        <>
          <span class="soft">{slot.name}:</span>{" "}
          {series.length === 1 ? show(series[0]?.values[at] ?? null) : (
            series.filter(({ values }) => values[at]).map(
              ({ name, fill, values }) => (
                <span class="read" key={name}>
                  <i class={`fill-${fill}`} /> {name} {show(values[at] ?? null)}
                </span>
              ),
            )
          )}
          {series.length > 1 && !series.some(({ values }) => values[at]) &&
            <span class="soft">nothing</span>}
          {missing?.[at] && <span class="soft">(not all is known)</span>}
        </>
      )}
    </p>
  );
}

interface DrawingProps extends ChartProps {
  readonly width: number;
  readonly step: number;
  readonly over: number | undefined;
}

function Drawing(props: DrawingProps) {
  const { slots, series, kind, height, showTick, width, step, over } = props;
  const { ticks, place } = scaleOf(
    kind === "bars"
      ? slots.flatMap((_, i) => stackEnds(series, i))
      : series.flatMap(({ values }) => values.map((value) => value ?? 0)),
    props.least,
  );
  const y = (value: number) => TOP + height * place(value);
  const fewest = TICK_WIDTH / (step || 1);
  const every = DISTANCES.find((n) => n >= fewest) ?? slots.length;
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
        ? slots.map((slot, i) => (
          <Stack
            key={slot.start}
            series={series}
            at={i}
            step={step}
            y={y}
            isMissing={props.missing?.[i] ?? false}
          />
        ))
        : series.map((one, i) => (
          <Line
            key={one.name}
            series={one}
            step={step}
            y={y}
            hasArea={i === 0}
          />
        ))}
      {slots.map(({ start, tick, order }, i) =>
        order % every === 0 && i * step > TICK_WIDTH / 3 - step && (
          <text
            key={start}
            x={Math.max(
              LEFT + 14,
              Math.min(LEFT + (i + 0.5) * step, width - 20),
            )}
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

function inWords({ slots, series, show }: ChartProps): string {
  const [first, last] = [slots[0], slots.at(-1)];
  if (first === undefined || last === undefined) return "Nothing yet";
  const sentences = series.map(({ name, values }) => {
    const most = values.reduce<number>(
      (best, value, i) => (value ?? 0) > (values[best] ?? 0) ? i : best,
      0,
    );
    const named = series.length > 1 ? `${name}: ` : "";
    return `${named}the most is ${show(values[most] ?? null)} (${
      slots[most]?.name
    }), the last is ${show(values.at(-1) ?? null)}`;
  });
  return `From ${first.name} to ${last.name}; ${sentences.join("; ")}`;
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
