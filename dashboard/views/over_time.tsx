/** What was saved by hour, day, week and month. @module */
import { useState } from "preact/hooks";
import type { History, Step } from "../api.ts";
import { compact, count, plural, usd, usdTick } from "../format.ts";
import { Chart } from "../parts/chart.tsx";
import { Choice } from "../parts/choice.tsx";
import { Panel, Waiting } from "../parts/panel.tsx";
import { type Slot, slotsOf } from "../parts/slots.ts";
import { usePolled } from "../poll.ts";
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
        <TokenPanels slots={slots} one={one} />
        <MoneyPanels slots={slots} one={one} />
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

function TokenPanels({ slots, one }: SlotsProps) {
  const tokens = (value: number) => plural(value, "token");
  return (
    <>
      <Panel title={`Tokens saved per ${one}`} place="w7">
        <Chart
          label={`Tokens saved per ${one}`}
          kind="bars"
          tone="accent"
          least={1}
          height={190}
          show={tokens}
          showTick={compact}
          points={slots.map((slot) => ({
            ...slot,
            key: slot.start,
            value: slot.row?.tokens_saved ?? 0,
          }))}
        />
      </Panel>
      <Panel title="Tokens saved, cumulative" place="w5">
        <Chart
          label="Tokens saved since the ledger was made"
          kind="line"
          tone="accent"
          least={1}
          height={190}
          show={tokens}
          showTick={compact}
          points={slots.map((slot) => ({
            ...slot,
            key: slot.start,
            value: slot.upTo?.total_tokens_saved ?? 0,
          }))}
        />
      </Panel>
    </>
  );
}

function MoneyPanels({ slots, one }: SlotsProps) {
  return (
    <>
      <Panel title={`Money saved per ${one}, net`} place="w7">
        <Chart
          label={`Money saved per ${one}, net`}
          kind="bars"
          tone="second"
          least={0.01}
          height={190}
          show={usd}
          showTick={usdTick}
          points={slots.map((slot) => ({
            ...slot,
            key: slot.start,
            value: slot.row?.compression_savings_usd_delta ?? 0,
          }))}
        />
      </Panel>
      <Panel title="Money saved, cumulative" place="w5">
        <Chart
          label="Money saved since the ledger was made, net"
          kind="line"
          tone="second"
          least={0.01}
          height={190}
          show={usd}
          showTick={usdTick}
          points={slots.map((slot) => ({
            ...slot,
            key: slot.start,
            value: slot.upTo?.compression_savings_usd ?? 0,
          }))}
        />
      </Panel>
    </>
  );
}

function Table({ slots, one }: SlotsProps) {
  const rows = slots.filter(({ row }) => row !== undefined).toReversed();
  if (rows.length === 0) return <p class="soft">Nothing yet.</p>;
  return (
    <div
      class="scroll"
      tabIndex={0}
      role="group"
      aria-label="Table of steps"
    >
      <table>
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
            <th scope="col" class="num">Cost</th>
            <th scope="col" class="num">Saved, net</th>
            <th scope="col" class="num">At list price</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ start, name, row }) => (
            <tr key={start}>
              <th scope="row">{name}</th>
              <td class="num">{count(row?.requests)}</td>
              <td class="num">{count(row?.failed)}</td>
              <td class="num">{count(row?.total_input_tokens_delta)}</td>
              <td class="num">{count(row?.tokens_saved)}</td>
              <td class="num">{usd(row?.total_input_cost_usd_delta)}</td>
              <td class="num">{usd(row?.compression_savings_usd_delta)}</td>
              <td class="num">{usd(row?.gross_savings_usd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
