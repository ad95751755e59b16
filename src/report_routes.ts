/** Composition of the routes that say what the proxy does: statistics, metrics, the live feed, the dashboard. @module */
import type { MiddlewareHandler } from "hono";
import type { ModelPricing } from "./cost/pricing.ts";
import { conversationsBody } from "./ledger/conversations_body.ts";
import { type FigureParts, figures } from "./ledger/figures.ts";
import { historyBody } from "./ledger/history.ts";
import type { HistoryBody } from "./ledger/history_body.ts";
import { historyCsv } from "./ledger/history_csv.ts";
import { lifetimeBody } from "./ledger/lifetime_body.ts";
import { metricsText } from "./ledger/metrics_text.ts";
import { type RangeBody, rangeBody } from "./ledger/range_body.ts";
import { statsBody } from "./ledger/stats_body.ts";
import { withhold } from "./ledger/withhold.ts";
import type { AppIo } from "./app_io.ts";
import type { Living } from "./living.ts";
import { mcpSummary } from "./mcp_route.ts";
import type { ProxyEnv } from "./proxy/env.ts";
import type { Trust } from "./proxy/gates/caller.ts";
import { requireLoopback } from "./proxy/gates/loopback.ts";
import { requireSameOrigin } from "./proxy/gates/same_origin.ts";
import { requireTrusted } from "./proxy/gates/trusted.ts";
import { dashboard } from "./proxy/handlers/dashboard.ts";
import { feed } from "./proxy/handlers/feed.ts";
import { metrics } from "./proxy/handlers/metrics.ts";
import { icon, root } from "./proxy/handlers/root.ts";
import { snapshots, stats } from "./proxy/handlers/stats.ts";
import { statsConversations } from "./proxy/handlers/stats_conversations.ts";
import { statsHistory } from "./proxy/handlers/stats_history.ts";
import { statsRange } from "./proxy/handlers/stats_range.ts";
import { resetStats } from "./proxy/handlers/stats_reset.ts";
import type { Route } from "./proxy/routes.ts";
import type { Config } from "./settings/resolve.ts";
import { schemaOf } from "./settings/schema.ts";
import { VERSION } from "./version.ts";

/** What these routes need. */
export interface ReportRouteParts {
  /** Parts with a lifetime. */
  readonly living: Living;
  /** Prices of today. */
  readonly pricing: Pick<ModelPricing, "priceOf">;
  /** Who is believed. */
  readonly trust: Trust;
  /** Resolves when every record that a report must hold is in the ledger. */
  readonly settled: () => Promise<void>;
}

/** The routes, in the order in which they are asked. */
export function reportRoutes(
  config: Config,
  io: AppIo,
  parts: ReportRouteParts,
): Route[] {
  return [
    ...statistics(config, io, parts),
    ...inspection(config, io, parts),
  ];
}

/** Open to all; some fields for trusted callers only. */
function statistics(
  config: Config,
  { clock, log }: AppIo,
  { living, pricing, trust, settled }: ReportRouteParts,
): Route[] {
  const { ledger, store, cache, attempt, observers } = living;
  const summary = mcpSummary(config, clock);
  const figureParts = async (): Promise<FigureParts> => ({
    report: ledger.report(),
    mode: config.mode,
    mcp: await summary(),
    ccr: config.ccr.enabled ? store.stats() : undefined,
    cache: config.responseCache ? cache.stats() : null,
    ratesOf: (model) => pricing.priceOf(model)?.price.base,
    stageFailures: attempt.failures,
  });
  const { requestsPerMinute } = config.limits;
  const stored = snapshots(async () => {
    await settled();
    const { otel, beacon, update } = observers.status();
    const { decidedBy: decided_by, ...state } = beacon;
    return statsBody({
      ...await figureParts(),
      reader: ledger.reader,
      rateLimiter: requestsPerMinute === undefined
        ? null
        : { requests_per_minute: requestsPerMinute },
      otel,
      beacon: { ...state, decided_by, update_check: update },
      isTelemetryOn: config.telemetry,
      logsMessages: config.logs.messages,
      config: configReport(config),
    });
  }, clock);
  // A report holds every request whose response has ended, counted to the last token.
  const counted: MiddlewareHandler<ProxyEnv> = async (_, next) => {
    await settled();
    await next();
  };
  const gates = [counted];
  const { reader } = ledger;
  return [
    {
      method: "GET",
      path: "/stats",
      handler: stats({ report: stored.report, withhold, trust }),
    },
    {
      method: "GET",
      path: "/stats-lifetime",
      gates,
      handler: stats({
        report: () => lifetimeBody(reader, ledger.state()),
        withhold,
        trust,
      }),
    },
    {
      method: "GET",
      path: "/stats-history",
      gates,
      handler: statsHistory<HistoryBody>({
        json: (mode) =>
          historyBody({
            reader,
            path: config.paths?.ledger,
            now: clock.now(),
          }, mode),
        csv: (series) => historyCsv(reader, series),
        withhold,
        trust,
      }),
    },
    {
      method: "GET",
      path: "/stats-range",
      gates,
      handler: statsRange<RangeBody>({
        report: (asked) =>
          rangeBody({ activity: ledger.activity, now: clock.now() }, asked),
        withhold,
        trust,
      }),
    },
    {
      method: "POST",
      path: "/stats/reset",
      gates: [requireLoopback(log, trust), requireSameOrigin(trust)],
      handler: resetStats(async () => {
        // What ended before belongs to the counts before.
        await settled();
        ledger.reset();
        stored.forget();
        await ledger.flush();
      }),
    },
    {
      method: "GET",
      path: "/metrics",
      gates,
      handler: metrics(async (isTrusted) => {
        const all = figures(await figureParts());
        return metricsText(isTrusted ? all : withhold(all), VERSION);
      }, trust),
    },
  ];
}

/** Single requests, and the page that shows it all. */
function inspection(
  config: Config,
  { clock, log }: AppIo,
  { living, trust, settled }: ReportRouteParts,
): Route[] {
  const { ledger, store, observers } = living;
  const counted: MiddlewareHandler<ProxyEnv> = async (_, next) => {
    await settled();
    await next();
  };
  const gates = [
    requireLoopback(log, trust),
    requireSameOrigin(trust),
    counted,
  ];
  const requests = feed({
    reader: ledger.reader,
    store,
    clock,
    logMessages: config.logs.messages,
    ...observers.texts && { messages: observers.texts },
  });
  const page = dashboard();
  return [
    {
      method: "GET",
      path: "/transformations/feed",
      gates,
      handler: requests.feed,
    },
    {
      method: "GET",
      path: "/transformations/:id",
      gates,
      handler: requests.one,
    },
    { method: "GET", path: "/", handler: root() },
    // A base URL with a project is asked without a slash at its end.
    { method: "GET", path: "/p/:project", handler: root() },
    { method: "GET", path: "/favicon.ico", handler: icon() },
    {
      method: "GET",
      path: "/stats-conversations",
      gates,
      handler: statsConversations((query) =>
        conversationsBody({
          activity: ledger.activity,
          now: clock.now(),
        }, query)
      ),
    },
    { method: "GET", path: "/dashboard", handler: page },
    {
      method: "GET",
      path: "/dashboard/settings",
      gates: [requireTrusted(log, trust)],
      handler: page,
    },
  ];
}

/** Settings in force; secrets are masked. */
function configReport({ given, features, mode }: Config): object {
  const { channel, enabled, disabled } = features;
  const { values } = schemaOf({ given, stored: {} });
  return {
    ...values,
    mode,
    rollout_channel: channel,
    features: enabled,
    disabled_features: disabled,
  };
}
