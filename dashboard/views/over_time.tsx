/** What was saved by hour, day, week and month. @module */
import { useState } from "preact/hooks";
import type { History, RollupRow, Step } from "../api.ts";
import { compact, count, plural, share, usd, usdTick } from "../format.ts";
import { Chart } from "../parts/chart.tsx";
import { Choice } from "../parts/choice.tsx";
import { Panel, Waiting } from "../parts/panel.tsx";
import { Scroller } from "../parts/scroller.tsx";
import { type Slot, slotsOf } from "../parts/slots.ts";
import { usePolled } from "../poll.ts";
import { moneyOfStep } from "../scope.ts";
import { HISTORY_PATH, KEPT_MS } from "./overview.tsx";

/** A step, its name, how many are shown, and what one is called. */
const STEPS = [
  ["hourly", "Hours", 168, "hour"],
  ["daily", "Days", 90, "day"],
  ["weekly", "Weeks", 53, "week"],
  ["monthly", "Months", 36, "month"],
] as const;

/** Steps at least. */
const FEWEST = 14;

/** Draws the section. */
export function OverTime() {
  const [step, setStep] = useState<Step>("daily");
  const { data } = usePolled<History>(HISTORY_PATH, KEPT_MS);
  if (data === undefined) return <Waiting />;
  const [, , limit, one] = STEPS.find(([name]) => name === step) ?? STEPS[1];
  const slots = slotsOf({
    rows: data.series[step],
    step,
    fewest: FEWEST,
    limit,
    now: data.generated_at,
  });
  return (
    <>
      <div class="bar">
        <Choice
          label="Length of the steps"
          options={STEPS.map(([value, text]) => [value, text] as const)}
          value={step}
          onChange={setStep}
        />
        <span class="soft small">
          Steps begin at full hours and days in UTC
        </span>
        <Downloads />
      </div>
      <div class="grid">
        <FigurePanels slots={slots} one={one} figure={TOKENS} />
        <FigurePanels slots={slots} one={one} figure={MONEY} />
      </div>
      <details class="below">
        <summary>Show the figures as a table</summary>
        <Panel title={`By ${one}`} aside="the newest first">
          <Table slots={slots} one={one} />
        </Panel>
      </details>
    </>
  );
}

function Downloads() {
  return (
    <p class="links end">
      <span class="soft">Download CSV:</span>
      {["history", ...STEPS.map(([name]) => name)].map((series) => (
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

interface SlotsProps {
  readonly slots: readonly Slot[];
  /** What a step is called. */
  readonly one: string;
}

/** One figure over time. */
interface Figure {
  /** E.g. `Tokens saved`. */
  readonly name: string;
  /** What is left out of the name, e.g. `, net`. */
  readonly note: string;
  readonly tone: "accent" | "second";
  /** Smallest value at the top of an axis. */
  readonly least: number;
  readonly show: (value: number | null) => string;
  readonly showTick: (value: number) => string;
  /** What a step adds; `null` for what nobody knows. */
  readonly delta: (row: RollupRow) => number | null;
  /** The sum at its end. */
  readonly total: (row: RollupRow) => number;
}

const TOKENS: Figure = {
  name: "Tokens saved",
  note: "",
  tone: "accent",
  least: 1,
  show: (value) => plural(value ?? 0, "token"),
  showTick: compact,
  delta: (row) => row.tokens_saved,
  total: (row) => row.total_tokens_saved,
};

const MONEY: Figure = {
  name: "Money saved",
  note: ", net",
  tone: "second",
  least: 0.01,
  show: usd,
  showTick: usdTick,
  delta: (row) => moneyOfStep(row).net,
  total: (row) => row.compression_savings_usd,
};

/** What each step added, and what it all came to. */
function FigurePanels(
  { slots, one, figure }: SlotsProps & { readonly figure: Figure },
) {
  const { name, note, tone, least, show, showTick, delta, total } = figure;
  const chart = { tone, least, show, showTick, height: 190 };
  const perStep = `${name} per ${one}${note}`;
  return (
    <>
      <Panel title={perStep} place="w7">
        <Chart
          {...chart}
          label={perStep}
          kind="bars"
          points={slots.map((slot) => ({
            ...slot,
            key: slot.start,
            value: slot.row ? delta(slot.row) : 0,
          }))}
        />
      </Panel>
      <Panel title={`${name}, cumulative`} place="w5">
        <Chart
          {...chart}
          label={`${name} since the ledger was made${note}`}
          kind="line"
          points={slots.map((slot) => ({
            ...slot,
            key: slot.start,
            value: slot.upTo ? total(slot.upTo) : 0,
          }))}
        />
      </Panel>
    </>
  );
}

function Table({ slots, one }: SlotsProps) {
  const rows = slots.filter(({ row }) => row !== undefined).toReversed();
  if (rows.length === 0) return <p class="soft">Nothing yet.</p>;
  const hasUnpriced = rows.some(({ row }) => row?.unpriced_requests);
  return (
    <Scroller label="Table of steps">
      <table class="steps">
        <caption class="hidden">
          What was saved per {one}, the newest first
        </caption>
        <thead>
          <tr>
            <th scope="col">Start (UTC)</th>
            <th scope="col" class="num">Requests</th>
            <th scope="col" class="num">Failed</th>
            <th scope="col" class="num">Prompt tokens</th>
            <th scope="col" class="num">Tokens saved</th>
            <th scope="col" class="num">of prompt</th>
            <th scope="col" class="num">Cost</th>
            <th scope="col" class="num">Saved, net</th>
            <th scope="col" class="num roomy">At list price</th>
            {hasUnpriced && <th scope="col" class="num">Without a price</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ start, name, row }) => (
            <Line key={start} name={name} row={row} hasUnpriced={hasUnpriced} />
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

function Line({ name, row, hasUnpriced }: {
  name: string;
  row: RollupRow | undefined;
  /** Whether requests without a price have a column. */
  hasUnpriced: boolean;
}) {
  const saved = row?.tokens_saved ?? 0;
  const { cost, net, gross, unpriced } = moneyOfStep(row);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="num">{count(row?.requests)}</td>
      <td class="num">{count(row?.failed)}</td>
      <td class="num">{count(row?.total_input_tokens_delta)}</td>
      <td class="num">{count(saved)}</td>
      <td class="num">
        {share(saved, (row?.total_input_tokens_delta ?? 0) + saved)}
      </td>
      <td class="num">{usd(cost)}</td>
      <td class="num">{usd(net)}</td>
      <td class="num roomy">{usd(gross)}</td>
      {hasUnpriced && <td class="num">{count(unpriced)}</td>}
    </tr>
  );
}
