/** What was saved: this run, the days that are chosen, ever; and what it did to prompts, caches and time. @module */
import type { Lifetime, Stats } from "../api.ts";
import {
  compact,
  count,
  duration,
  inSentence,
  plural,
  share,
  usd,
} from "../format.ts";
import { Chart } from "../parts/chart.tsx";
import { Panel, Waiting } from "../parts/panel.tsx";
import { PartsBar } from "../parts/parts_bar.tsx";
import { RangeBar, type RangeState } from "../parts/range_bar.tsx";
import { Scroller } from "../parts/scroller.tsx";
import { type Polled, usePolled } from "../poll.ts";
import { stepFor } from "../range.ts";
import { KEPT_MS, type Steps, useSteps } from "../range_poll.ts";
import { hrefOf } from "../route.ts";
import { lifetimeOf, merged, runOf, spanOf } from "../scope.ts";
import { FirstSteps } from "./first_steps.tsx";
import { PrefixPanel } from "./prefix_panel.tsx";
import { ProblemsPanel } from "./problems_panel.tsx";
import { ScopePanels } from "./scope_panel.tsx";

/** Where the sums of all runs are. */
export const LIFETIME_PATH = "/stats-lifetime";

/** Properties of {@linkcode Overview}. */
export interface OverviewProps {
  /** Figures of this run. */
  readonly stats: Polled<Stats>;
  /** The days that are shown. */
  readonly days: RangeState;
}

/** Draws the section. */
export function Overview(
  { stats: { data, failedSince }, days }: OverviewProps,
) {
  const { range } = days;
  const step = stepFor(range);
  const steps = useSteps(range, step);
  const lifetime = usePolled<Lifetime>(LIFETIME_PATH, KEPT_MS).data;
  if (data === undefined) return <Waiting />;
  const isFresh = data.requests.total === 0 &&
    data.persistent_savings.lifetime.requests === 0;
  if (isFresh) {
    return (
      <div class="grid">
        <FirstSteps isReachable={failedSince === undefined} />
      </div>
    );
  }
  return (
    <>
      <div class="bar">
        <RangeBar {...days} />
      </div>
      <div class="grid">
        <ScopePanels
          scopes={merged([
            {
              title: "This run",
              aside: "since the proxy started",
              scope: runOf(data),
            },
            {
              title: range.name,
              aside: "",
              scope: steps.data && spanOf(steps.data),
            },
            {
              title: "Lifetime",
              aside: "all runs in this workspace",
              scope: lifetime && lifetimeOf(lifetime),
            },
          ])}
        />
        <ProblemsPanel />
        <SavedPanel
          steps={steps}
          title={`Tokens saved per ${step}, ${inSentence(range.name)}`}
        />
        <TimesPanel stats={data} />
        <PrefixPanel
          proof={data.prefix_stability}
          lifetimeOurs={lifetime?.prefix_stability.ours}
        />
        <CachePanel stats={data} />
        <RequestsPanel stats={data} />
      </div>
    </>
  );
}

function SavedPanel({ steps: { slots, data }, title }: {
  readonly steps: Steps;
  readonly title: string;
}) {
  return (
    <Panel
      title={title}
      place="w7"
      aside={<a href={hrefOf("time")}>Over time</a>}
    >
      {data === undefined ? <Waiting /> : (
        <Chart
          label={title}
          kind="bars"
          least={1}
          height={150}
          show={(value) => plural(value ?? 0, "token")}
          showTick={compact}
          slots={slots}
          series={[{
            name: "Tokens saved",
            fill: "accent",
            values: data.intervals.map(({ tokens_saved }) => tokens_saved),
          }]}
        />
      )}
    </Panel>
  );
}

function TimesPanel({ stats }: { stats: Stats }) {
  const rows = [
    ["Added by svc", stats.overhead],
    ["First byte", stats.ttfb],
    ["Whole request", stats.latency],
  ] as const;
  const totals = rows.map(([, { total_requests }]) => total_requests);
  const all = totals.every((total) => total === totals[0])
    ? totals[0]
    : undefined;
  return (
    <Panel
      title="Time"
      place="w5"
      aside={all === undefined
        ? "this run"
        : `${plural(all, "request")} of this run`}
    >
      <p>
        <span class="figure">{time(stats.overhead, "p50_ms")}</span>{" "}
        <span class="soft">added at the median</span>
      </p>
      <Scroller label="Durations">
        <table class="times">
          <caption class="hidden">Durations of requests of this run</caption>
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">Duration</span>
              </th>
              {all === undefined && <th scope="col" class="num">Requests</th>}
              <th scope="col" class="num">p50</th>
              <th scope="col" class="num">p90</th>
              <th scope="col" class="num">p99</th>
              <th scope="col" class="num wide">max</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, times]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {all === undefined && (
                  <td class="num">{count(times.total_requests)}</td>
                )}
                <td class="num">{time(times, "p50_ms")}</td>
                <td class="num">{time(times, "p90_ms")}</td>
                <td class="num">{time(times, "p99_ms")}</td>
                <td class="num wide">{time(times, "max_ms")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      <p class="note">
        {all === undefined
          ? "Not every request is in each row. "
          : "The same requests in each row. "}
        Requests that no provider began to answer are not counted.
      </p>
    </Panel>
  );
}

/** Of no requests there is no time. */
function time(
  times: Stats["latency"],
  key: "p50_ms" | "p90_ms" | "p99_ms" | "max_ms",
): string {
  return duration(times.total_requests === 0 ? undefined : times[key]);
}

function CachePanel({ stats }: { stats: Stats }) {
  const { totals } = stats.prefix_cache;
  const prompt = totals.cache_read_tokens + totals.cache_write_tokens +
    totals.uncached_input_tokens;
  const unpriced = totals.unpriced_tokens ?? 0;
  return (
    <Panel title="Provider's cache" place="w4" aside="prompt tokens, this run">
      <p>
        <span class="figure">
          {share(totals.cache_read_tokens, prompt)}
        </span>{" "}
        <span class="soft">of prompt tokens were read from the cache</span>
      </p>
      <PartsBar
        parts={[
          { name: "Read", value: totals.cache_read_tokens, fill: "accent" },
          { name: "Written", value: totals.cache_write_tokens, fill: "second" },
          {
            name: "Neither",
            value: totals.uncached_input_tokens,
            fill: "rest",
          },
        ]}
      />
      <p class="note">
        {count(totals.hit_requests)} of{" "}
        {plural(totals.requests, "billed request")} read it.
        {totals.net_savings_usd !== undefined &&
          ` The provider's own discount was ${
            usd(
              unpriced > 0 && totals.net_savings_usd === 0
                ? null
                : totals.net_savings_usd,
            )
          }; it is there with and without svc, and in no saving above.`}
        {unpriced > 0 &&
          ` ${plural(unpriced, "token")} without a known price: not in it.`}
      </p>
    </Panel>
  );
}

function RequestsPanel({ stats }: { stats: Stats }) {
  const { requests, retrievals, new_tool_results: fresh } = stats;
  return (
    <Panel title="Requests" place="w4 fill" aside="this run">
      <p>
        <span class="figure">{count(requests.total)}</span>{" "}
        <span class="soft">finished</span>
      </p>
      <dl class="facts ruled">
        <dt>Failed (5xx)</dt>
        <dd class={requests.failed > 0 ? "bad" : ""}>
          {count(requests.failed)}
        </dd>
        <dt>Refused: budget used up</dt>
        <dd>{count(requests.refused_by_budget)}</dd>
        <dt>Met a rate limit</dt>
        <dd>{count(requests.rate_limited)}</dd>
        <dt>Left by the client</dt>
        <dd>{count(requests.aborted)}</dd>
        <dt>Answered from the response cache</dt>
        <dd>{count(requests.cached)}</dd>
        <dt>New tool results made smaller</dt>
        <dd>
          {count(fresh.compressed_blocks)} of {count(fresh.blocks)}
        </dd>
        <dt>Originals asked for again</dt>
        <dd>{count(retrievals.total)}</dd>
      </dl>
    </Panel>
  );
}
