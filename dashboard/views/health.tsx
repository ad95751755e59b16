/** Whether all is well, and what leaves the machine. @module */
import type { ComponentChildren } from "preact";
import type { FeedAnswer, FeedRow, Health, Lifetime, Stats } from "../api.ts";
import { bytes, count, plural, shortId, span, whenShort } from "../format.ts";
import { OnlyHere, Panel, Waiting } from "../parts/panel.tsx";
import { type Polled, usePolled } from "../poll.ts";
import { KEPT_MS } from "../range_poll.ts";
import { hrefOf } from "../route.ts";
import { LIFETIME_PATH } from "./overview.tsx";

/** Properties of {@linkcode HealthView}. */
export interface HealthViewProps {
  /** Figures. */
  readonly stats: Polled<Stats>;
  /** State of the parts. */
  readonly health: Polled<Health>;
}

/** Draws the section. */
export function HealthView({ stats, health }: HealthViewProps) {
  const lifetime = usePolled<Lifetime>(LIFETIME_PATH, KEPT_MS).data;
  if (health.data === undefined) return <Waiting />;
  return (
    <div class="grid">
      <PartsPanel
        health={health.data}
        isReachable={health.failedSince === undefined &&
          stats.failedSince === undefined}
      />
      {stats.data && <LeavesPanel stats={stats.data} />}
      {stats.data && <StorePanel stats={stats.data} />}
      {lifetime && <LedgerPanel lifetime={lifetime} />}
      {stats.data && <FailuresPanel stats={stats.data} />}
    </div>
  );
}

function Badge(
  { isGood, children }: { isGood: boolean; children: ComponentChildren },
) {
  return <span class={`badge ${isGood ? "good" : "bad"}`}>{children}</span>;
}

function PartsPanel(
  { health, isReachable }: { health: Health; isReachable: boolean },
) {
  return (
    <Panel
      title="Proxy"
      place="w4"
      aside={
        <Badge isGood={isReachable && health.ready}>
          {!isReachable
            ? "not reachable"
            : health.ready
            ? "ready"
            : "not ready"}
        </Badge>
      }
    >
      <dl class="facts">
        <dt>Version</dt>
        <dd>{health.version}</dd>
        <dt>{isReachable ? "Running for" : "Had been running for"}</dt>
        <dd>{span(health.uptime_seconds)}</dd>
        {Object.entries(health.checks).flatMap(([name, check]) => [
          <dt key={`${name} name`}>{name.replaceAll("_", " ")}</dt>,
          <dd key={`${name} state`}>
            {check.enabled && !check.ready
              ? <span class="bad">{check.status}</span>
              : check.status}
            {typeof check["backend"] === "string" && (
              <span class="soft">, {check["backend"]}</span>
            )}
          </dd>,
        ])}
      </dl>
    </Panel>
  );
}

/** What an exporter says of itself; older ones say less. */
interface Exporter {
  readonly enabled?: boolean;
  readonly endpoint?: string | null;
  readonly exporter?: string | null;
  readonly reason?: string;
  readonly error?: string | null;
  readonly rejected_points?: number;
}

function LeavesPanel({ stats }: { stats: Stats }) {
  if (stats.beacon === undefined || stats.otel === undefined) {
    return (
      <Panel title="What leaves this machine" place="w8">
        <OnlyHere what="What is reported to whom is" />
      </Panel>
    );
  }
  const beacon: Exporter = stats.beacon;
  const otel: Exporter = stats.otel;
  const leaves = beacon.enabled || (otel.enabled && otel.endpoint);
  return (
    <Panel
      title="What leaves this machine"
      place="w8"
      aside={
        <Badge isGood={!leaves}>
          {leaves ? "counts leave it" : "only your requests"}
        </Badge>
      }
    >
      <dl class="facts text">
        <dt>Requests</dt>
        <dd>
          to the providers that your clients use, as everywhere without svc
        </dd>
        <dt>Anonymous counts</dt>
        <dd>
          {beacon.enabled
            ? `reported to ${beacon.endpoint ?? "the endpoint that is set"}`
            : "not reported to anybody"}
          {beacon.reason && <span class="soft">: {beacon.reason}</span>}
        </dd>
        <dt>Metrics (OTLP)</dt>
        <dd>
          {otel.enabled
            ? otel.endpoint
              ? `exported to ${otel.endpoint}`
              : `written to the ${otel.exporter ?? "console"}`
            : "not exported"}
          {otel.error && <span class="bad">: {otel.error}</span>}
          {(otel.rejected_points ?? 0) > 0 && (
            <span class="bad">
              ; {plural(otel.rejected_points ?? 0, "point")}{" "}
              refused by the collector
            </span>
          )}
        </dd>
        <dt>Texts of requests</dt>
        <dd>
          {stats.log_full_messages
            ? (
              <span class="bad">
                kept on this machine in full (SVC_LOG_MESSAGES)
              </span>
            )
            : "not logged"}
        </dd>
        <dt>This page</dt>
        <dd>asks this proxy only; its policy forbids anything else</dd>
      </dl>
      <p class="note">
        <code>svc telemetry</code>{" "}
        shows the exact counts that would be reported.
      </p>
    </Panel>
  );
}

function StorePanel({ stats: { compression } }: { stats: Stats }) {
  return (
    <Panel title="Store of originals" place="w4">
      {compression === null
        ? <p class="soft">No originals are kept: nothing is left out.</p>
        : (
          <dl class="facts">
            <dt>Originals</dt>
            <dd>{count(compression.ccr_entries)}</dd>
            <dt>Size</dt>
            <dd>
              {bytes(compression.ccr_bytes)} of{" "}
              {bytes(compression.ccr_max_bytes)}
            </dd>
            <dt>Tokens of originals</dt>
            <dd>{count(compression.original_tokens_cached)}</dd>
            <dt>Tokens of their forms</dt>
            <dd>{count(compression.compressed_tokens_cached)}</dd>
            <dt>Given back</dt>
            <dd>{count(compression.ccr_retrievals)} times</dd>
          </dl>
        )}
    </Panel>
  );
}

function LedgerPanel({ lifetime }: { lifetime: Lifetime }) {
  const { persistence, requests, prefix_stability } = lifetime;
  return (
    <Panel
      title="Ledger"
      place="w4"
      aside={
        <Badge isGood={persistence.healthy}>
          {persistence.healthy ? "healthy" : "not written"}
        </Badge>
      }
    >
      <dl class="facts">
        <dt>Kept</dt>
        <dd>{persistence.enabled ? "in a file" : "in memory only"}</dd>
        <dt>Requests since it was made</dt>
        <dd>{count(requests.total)}</dd>
        <dt>Not in the file yet</dt>
        <dd>{count(persistence.pending_records)}</dd>
        <dt>Prefixes changed by svc</dt>
        <dd class={prefix_stability.ours > 0 ? "bad" : "good"}>
          {count(prefix_stability.ours)}
        </dd>
      </dl>
    </Panel>
  );
}

/** Requests that are looked through for the newest failure of each step. */
const LOOKED_AT = 100;

/** Steps of compression that failed; the requests were sent without them. */
function FailuresPanel({ stats }: { stats: Stats }) {
  const failures = Object.entries(stats.stage_failures);
  const { data } = usePolled<FeedAnswer>(
    `/transformations/feed?problems=1&limit=${LOOKED_AT}`,
    KEPT_MS,
    { isGuarded: true, isPaused: failures.length === 0 },
  );
  const rows = data?.transformations ?? [];
  return (
    <Panel
      title="Failed and sent as it came"
      place="w4"
      aside="steps of compression, this run"
    >
      {failures.length === 0
        ? <p class="soft">No step of compression failed.</p>
        : failures.map(([stage, times]) => (
          <div class="failure" key={stage}>
            <p>
              <code>{stage}</code>{" "}
              <span class="bad">{plural(times, "time")}</span>
            </p>
            <NewestOf stage={stage} rows={rows} />
          </div>
        ))}
    </Panel>
  );
}

function NewestOf(
  { stage, rows }: { stage: string; rows: readonly FeedRow[] },
) {
  const row = rows.find(({ failures }) =>
    failures.some((failure) => failure.stage === stage)
  );
  if (row === undefined) {
    return (
      <p class="note">
        It belongs to no request that is still kept; the reason is in the log.
      </p>
    );
  }
  const reason = row.failures.find((failure) => failure.stage === stage)
    ?.reason;
  return (
    <p class="note">
      Newest:{" "}
      <a href={hrefOf("feed", row.request_id, { problems: true })}>
        request {shortId(row.request_id)}
      </a>{" "}
      at {whenShort(new Date(row.timestamp))}: {reason}
    </p>
  );
}
