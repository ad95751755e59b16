/** What was saved, spent and waited for, a step at a time. @module */
import { useState } from "preact/hooks";
import type { RangeInterval } from "../api.ts";
import {
  compact,
  count,
  duration,
  plural,
  share,
  usd,
  usdTick,
} from "../format.ts";
import { Chart, type ChartProps } from "../parts/chart.tsx";
import type { Series } from "../parts/chart_marks.tsx";
import { Choice } from "../parts/choice.tsx";
import { Panel, Waiting } from "../parts/panel.tsx";
import { RangeBar, type RangeState } from "../parts/range_bar.tsx";
import { Scroller } from "../parts/scroller.tsx";
import { type Step, stepFor, stepsOf } from "../range.ts";
import { useSteps } from "../range_poll.ts";
import { hrefOf } from "../route.ts";
import { moneyOfSums } from "../scope.ts";
import {
  CostPanel,
  DurationPanel,
  ErrorsPanel,
  type StepsProps,
} from "./step_panels.tsx";

const STEP_NAMES: Readonly<Record<Step, string>> = {
  hour: "Hours",
  day: "Days",
  week: "Weeks",
  month: "Months",
};
/** Files that hold the same for all time, in UTC. */
const FILES = ["history", "hourly", "daily", "weekly", "monthly"];

/** Draws the section. */
export function OverTime({ days }: { readonly days: RangeState }) {
  const { range } = days;
  const [wanted, setWanted] = useState<Step>();
  // It stays open while other days are asked for.
  const [isTableOpen, setTableOpen] = useState(false);
  const possible = stepsOf(range);
  const step = wanted !== undefined && possible.includes(wanted)
    ? wanted
    : stepFor(range);
  const { slots, data } = useSteps(range, step);
  return (
    <>
      <div class="bar">
        <RangeBar {...days} />
        {possible.length > 1 && (
          <Choice
            label="Length of the steps"
            options={possible.map((one) => [one, STEP_NAMES[one]] as const)}
            value={step}
            onChange={setWanted}
          />
        )}
      </div>
      {data === undefined
        ? <Waiting />
        : data.total.requests === 0
        ? (
          <div class="notice">
            <h2>No requests in this time</h2>
            <p>
              Choose other days. If no request was ever sent,{" "}
              <a href={hrefOf("overview")}>Overview</a> says how to begin.
            </p>
          </div>
        )
        : (
          <>
            <Charts slots={slots} data={data} one={step} />
            <details
              class="below"
              open={isTableOpen}
              onToggle={({ currentTarget }) => setTableOpen(currentTarget.open)}
            >
              <summary>Show the figures as a table</summary>
              <Panel title={`By ${step}`} aside="the newest first">
                <Table slots={slots} data={data} one={step} />
              </Panel>
            </details>
          </>
        )}
      <Downloads />
    </>
  );
}

function Downloads() {
  return (
    <p class="links below">
      <span class="soft">All time as CSV, in UTC:</span>
      {FILES.map((series) => (
        <a
          key={series}
          href={`/stats-history?format=csv&series=${series}`}
          download={`svc-stats-history-${series}.csv`}
        >
          {series}
        </a>
      ))}
    </p>
  );
}

function Charts(props: StepsProps) {
  return (
    <div class="grid">
      <FigurePanels {...props} figure={TOKENS} />
      <FigurePanels {...props} figure={MONEY} />
      <CostPanel {...props} />
      <ErrorsPanel {...props} />
      <DurationPanel {...props} of="latency" title="Whole request" />
      <DurationPanel {...props} of="ttfb" title="First byte" />
      <DurationPanel {...props} of="overhead" title="Added by svc" />
    </div>
  );
}

/** One figure over time. */
interface Figure extends Pick<ChartProps, "least" | "show" | "showTick"> {
  /** E.g. `Tokens saved`. */
  readonly name: string;
  /** What is left out of the name, e.g. `, net`. */
  readonly note: string;
  readonly fill: "accent" | "second";
  /** What a step adds; `null` for what nobody knows. */
  readonly of: (interval: RangeInterval) => number | null;
}

const TOKENS: Figure = {
  name: "Tokens saved",
  note: "",
  fill: "accent",
  least: 1,
  show: (value) => plural(value ?? 0, "token"),
  showTick: compact,
  of: ({ tokens_saved }) => tokens_saved,
};

const MONEY: Figure = {
  name: "Money saved",
  note: ", net",
  fill: "second",
  least: 0.01,
  show: usd,
  showTick: usdTick,
  of: (interval) => moneyOfSums(interval).net,
};

/** What each step added, and what it all came to. */
function FigurePanels(
  { slots, data, one, figure }: StepsProps & { readonly figure: Figure },
) {
  const { name, note, fill, of, ...chart } = figure;
  const values = data.intervals.map(of);
  const sums: number[] = [];
  for (const value of values) sums.push((sums.at(-1) ?? 0) + (value ?? 0));
  const perStep = `${name} per ${one}${note}`;
  const series = (values: Series["values"]) => [{ name, fill, values }];
  return (
    <>
      <Panel title={perStep} place="w7">
        <Chart
          {...chart}
          height={190}
          label={perStep}
          kind="bars"
          slots={slots}
          series={series(values)}
        />
      </Panel>
      <Panel title={`${name}, added up`} place="w5" aside="in this time">
        <Chart
          {...chart}
          height={190}
          label={`${name} since the start of this time${note}`}
          kind="lines"
          slots={slots}
          series={series(sums)}
        />
      </Panel>
    </>
  );
}

function Table({ slots, data, one }: StepsProps) {
  const rows = slots.map((slot, i) => ({ slot, step: data.intervals[i]! }))
    .filter(({ step }) => step.requests > 0).toReversed();
  if (rows.length === 0) return <p class="soft">Nothing in this time.</p>;
  return (
    <Scroller label="Table of steps">
      <table class="steps">
        <caption class="hidden">
          What happened per {one}, the newest first
        </caption>
        <thead>
          <tr>
            <th scope="col">Start</th>
            <th scope="col" class="num">Requests</th>
            <th scope="col" class="num">Refused</th>
            <th scope="col" class="num">Failed</th>
            <th scope="col" class="num">Prompt tokens</th>
            <th scope="col" class="num">Tokens saved</th>
            <th scope="col" class="num">of prompt</th>
            <th scope="col" class="num">Cost</th>
            <th scope="col" class="num">Saved, net</th>
            <th scope="col" class="num roomy">Latency p50</th>
            <th scope="col" class="num roomy">p95</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ slot, step }) => (
            <Line key={slot.start} name={slot.name} step={step} />
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

function Line({ name, step }: { name: string; step: RangeInterval }) {
  const { cost, net, unpriced } = moneyOfSums(step);
  const { input_tokens, tokens_saved } = step;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="num">{count(step.requests)}</td>
      <td class="num">{count(step.refused)}</td>
      <td class="num">{count(step.failed)}</td>
      <td class="num">{count(input_tokens)}</td>
      <td class="num">{count(tokens_saved)}</td>
      <td class="num">{share(tokens_saved, input_tokens + tokens_saved)}</td>
      <td class="num">
        {usd(cost)}
        {unpriced > 0 && cost !== null && (
          <span class="under soft">{count(unpriced)} unpriced</span>
        )}
      </td>
      <td class="num">{usd(net)}</td>
      <td class="num roomy">{duration(step.latency.p50_ms)}</td>
      <td class="num roomy">{duration(step.latency.p95_ms)}</td>
    </tr>
  );
}
