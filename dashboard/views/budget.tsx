/** What may be spent, and what is. @module */
import type { Stats } from "../api.ts";
import { count, shareUsd, usd } from "../format.ts";
import { Panel, Waiting } from "../parts/panel.tsx";
import { PartsBar } from "../parts/parts_bar.tsx";
import type { Polled } from "../poll.ts";
import { hrefOf } from "../route.ts";

/** Draws the section. */
export function Budget({ stats }: { readonly stats: Polled<Stats> }) {
  if (stats.data === undefined) return <Waiting />;
  const { cost, requests } = stats.data;
  const { budget_limit_usd: limit, budget_basis: spent } = cost;
  if (limit === undefined || spent === undefined) return <NoBudget />;
  const reserved = cost.budget_reserved_usd ?? 0;
  const measured = spent.measured_usd;
  const estimated = spent.estimated_usd;
  const counts = cost.budget_estimated_basis !== "ignore";
  const counted = counts ? spent.total_usd : measured;
  const left = Math.max(0, limit - counted - reserved);
  return (
    <div class="grid">
      <Panel
        title={`Budget, ${cost.budget_period ?? ""}`}
        place="w7"
        aside="periods begin in UTC"
      >
        <p>
          <span class={`figure ${counted >= limit ? "bad" : ""}`}>
            {usd(counted)}
          </span>{" "}
          <span class="soft">of {usd(limit)} spent</span>
        </p>
        <PartsBar
          show={usd}
          shareOf={shareUsd}
          parts={[
            {
              name: "Measured: as providers billed",
              value: measured,
              fill: "accent",
            },
            {
              name: counts
                ? "Estimated: by our own count"
                : "Estimated (does not count)",
              value: estimated,
              fill: "second",
            },
            {
              name: "Reserved by requests under way",
              value: reserved,
              fill: "third",
            },
            { name: "Left", value: left, fill: "rest" },
          ]}
        />
      </Panel>
      <Panel title="How it is counted" place="w5">
        <dl class="facts">
          <dt>Limit</dt>
          <dd>{usd(limit)} {cost.budget_period}</dd>
          <dt>Requests with a cost</dt>
          <dd>{count(spent.records)}</dd>
          <dt class="inner">estimated or without a price</dt>
          <dd>{count(spent.estimated_records)}</dd>
          <dt>Estimated share of spend</dt>
          <dd>{shareUsd(estimated, spent.total_usd)}</dd>
          <dt>Refused in this run</dt>
          <dd class={requests.refused_by_budget > 0 ? "bad" : ""}>
            {count(requests.refused_by_budget)}
          </dd>
        </dl>
        <p class="note">{BASES[cost.budget_estimated_basis ?? ""] ?? ""}</p>
      </Panel>
    </div>
  );
}

const BASES: Readonly<Record<string, string>> = {
  count: "Estimated spend counts like measured spend.",
  ignore: "Estimated spend is booked, but does not count.",
  block: "A period that holds estimated spend lets nothing more pass.",
};

function NoBudget() {
  return (
    <div class="notice">
      <h2>No budget is set</h2>
      <p>
        Requests are never refused for money. A limit per hour, day or month is
        set in the <a href={hrefOf("settings", "budget")}>settings</a>, or with
        {" "}
        <code>SVC_BUDGET</code>.
      </p>
    </div>
  );
}
