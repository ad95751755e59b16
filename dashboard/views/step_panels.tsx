/** What models cost, what went wrong and how long it took, a step at a time. @module */
import type { RangeBody, RangeInterval, SpanDurations } from "../api.ts";
import { count, duration, plural, share, usd, usdTick } from "../format.ts";
import { Chart } from "../parts/chart.tsx";
import { FILLS, type Series } from "../parts/chart_marks.tsx";
import { Legend } from "../parts/legend.tsx";
import { OnlyHere, Panel } from "../parts/panel.tsx";
import type { Slot } from "../range.ts";
import { moneyOfSums } from "../scope.ts";

/** The steps that are shown. */
export interface StepsProps {
  /** The oldest first. */
  readonly slots: readonly Slot[];
  /** It has an interval per slot. */
  readonly data: RangeBody;
  /** What a step is called. */
  readonly one: string;
}

/** What each model cost; what has no known price is said beside it, not drawn as nothing. */
export function CostPanel({ slots, data, one }: StepsProps) {
  const title = `Cost by model per ${one}`;
  if (data.intervals.some((interval) => interval.cost_by_model === undefined)) {
    return (
      <Panel title={title} place="w7">
        <OnlyHere what="Names of models are" />
      </Panel>
    );
  }
  const models = modelsIn(data.intervals);
  const priced = models.filter(({ cost }) => cost !== null);
  const series = priced.map(({ name }, i): Series => ({
    name,
    fill: FILLS[Math.min(i, FILLS.length - 1)] ?? "rest",
    values: data.intervals.map(({ cost_by_model }) =>
      cost_by_model?.[name]?.cost_usd ?? null
    ),
  }));
  const missing = data.intervals.map(({ unpriced_requests }) =>
    unpriced_requests > 0
  );
  return (
    <Panel
      title={title}
      place="w7"
      aside={`${usd(moneyOfSums(data.total).cost)} in this time`}
    >
      <Chart
        label={title}
        kind="bars"
        least={0.01}
        height={190}
        show={usd}
        showTick={usdTick}
        slots={slots}
        series={series}
        missing={missing}
      />
      <Legend
        rows={models.map(({ name, cost, unpriced }, i) => ({
          name,
          fill: cost === null ? "missing" : series[i]?.fill ?? "rest",
          value: usd(cost),
          note: unpriced === 0
            ? ""
            : `${plural(unpriced, "request")} without a known price`,
        }))}
      />
      {missing.includes(true) && (
        <p class="note">
          A dashed mark: requests without a known price, which are in no bar.
        </p>
      )}
    </Panel>
  );
}

interface ModelTotal {
  readonly name: string;
  /** `null` where nothing of it is known. */
  readonly cost: number | null;
  readonly unpriced: number;
}

/** The models of all steps: those that cost most first, those without a price last. */
function modelsIn(intervals: readonly RangeInterval[]): readonly ModelTotal[] {
  const totals = new Map<string, ModelTotal>();
  for (const { cost_by_model = {} } of intervals) {
    for (
      const [name, { cost_usd, unpriced_requests }] of Object.entries(
        cost_by_model,
      )
    ) {
      const { cost, unpriced } = totals.get(name) ??
        { cost: null, unpriced: 0 };
      totals.set(name, {
        name,
        cost: cost_usd === null ? cost : (cost ?? 0) + cost_usd,
        unpriced: unpriced + unpriced_requests,
      });
    }
  }
  // What is left over comes behind those that have a name.
  const rank = ({ name, cost }: ModelTotal) =>
    cost === null ? -2 : name === "(other)" ? -1 : cost;
  return [...totals.values()].sort((a, b) => rank(b) - rank(a));
}

/** What part of the requests went wrong. */
export function ErrorsPanel({ slots, data, one }: StepsProps) {
  const { total, intervals } = data;
  const title = `Error rate per ${one}`;
  const rate = (of: (interval: RangeInterval) => number) =>
    intervals.map((interval) =>
      interval.requests === 0 ? null : 100 * of(interval) / interval.requests
    );
  const percent = (value: number | null) =>
    value === null ? "no requests" : `${value.toFixed(1)}%`;
  const series: readonly Series[] = [
    { name: "Failed (5xx)", fill: "bad", values: rate(({ failed }) => failed) },
    {
      name: "Refused (4xx)",
      fill: "third",
      values: rate(({ refused }) => refused),
    },
  ];
  return (
    <Panel
      title={title}
      place="w5"
      aside={`${share(total.failed + total.refused, total.requests)} of ${
        plural(total.requests, "request")
      }`}
    >
      <Chart
        label={title}
        kind="bars"
        least={1}
        height={190}
        show={percent}
        showTick={(value) => `${value}%`}
        slots={slots}
        series={series}
      />
      <Legend
        rows={[
          { name: "Failed (5xx)", fill: "bad", value: count(total.failed) },
          { name: "Refused (4xx)", fill: "third", value: count(total.refused) },
        ]}
      />
    </Panel>
  );
}

/** How long requests took: half of them, and nearly all. */
export function DurationPanel({ slots, data, of, title, one }: StepsProps & {
  readonly of: "latency" | "ttfb" | "overhead";
  readonly title: string;
}) {
  const series = (
    name: string,
    fill: Series["fill"],
    key: keyof SpanDurations,
  ) => ({
    name,
    fill,
    values: data.intervals.map((interval) => interval[of][key]),
  });
  return (
    <Panel title={`${title}, per ${one}`} place="w4 fill">
      <Chart
        label={`Duration: ${title.toLowerCase()}`}
        kind="lines"
        least={1}
        height={150}
        show={duration}
        showTick={durationTick}
        slots={slots}
        series={[
          series("p95", "second", "p95_ms"),
          series("p50", "accent", "p50_ms"),
        ]}
      />
      <Legend
        rows={[
          { name: "p95", fill: "second", value: "95% took at most this" },
          { name: "p50", fill: "accent", value: "half took at most this" },
        ]}
      />
    </Panel>
  );
}

/** Without the zeros at its end. */
function durationTick(ms: number): string {
  return ms < 1000
    ? `${Number(ms.toPrecision(3))} ms`
    : `${Number((ms / 1000).toPrecision(3))} s`;
}
