/** Handlers of the routes that say what the proxy does, loaded by the first request for one of them. @module */
import { isTrustedCaller } from "../gates/trusted.ts";
import type { Handler } from "hono";
import type { AppIo } from "../../core/app_io.ts";
import type { Clock } from "../../core/clock.ts";
import type { ModelPricing } from "../../cost/pricing.ts";
import { type FigureParts, figures } from "../../ledger/figures.ts";
import { type HistoryBody, historyBody } from "../../ledger/history.ts";
import { historyCsv } from "../../ledger/history_csv.ts";
import { lifetimeBody } from "../../ledger/lifetime_body.ts";
import { metricsText } from "../../ledger/metrics.ts";
import {
  conversationsBody,
  type RangeBody,
  rangeBody,
} from "../../ledger/range_body.ts";
import { statsBody } from "../../ledger/stats_body.ts";
import { withhold } from "../../ledger/withhold.ts";
import type { Services } from "../../services.ts";
import { mcpSummary } from "../../mcp/route.ts";
import type { ProxyEnv } from "../env.ts";
import { NOBODY, type Trust } from "../gates/caller.ts";
import { feed } from "./feed.ts";
import {
  resetStats,
  snapshots,
  stats,
  statsConversations,
  statsHistory,
  statsRange,
} from "./stats.ts";
import type { Config } from "../../settings/resolve.ts";
import { schemaOf } from "../../settings/schema.ts";
import { VERSION } from "../../version.ts";

/** What the routes need. */
export interface ReportRouteParts {
  /** Parts with a lifetime. */
  readonly services: Services;
  /** Prices of today. */
  readonly pricing: Pick<ModelPricing, "priceOf">;
  /** Who is believed. */
  readonly trust: Trust;
  /** Resolves when every record that a report must hold is in the ledger. */
  readonly settled: () => Promise<void>;
}

/** Makes them. */
export function reportHandlers(
  config: Config,
  io: AppIo,
  parts: ReportRouteParts,
) {
  return {
    ...statistics(config, io, parts),
    ...reports(config, io, parts),
    ...inspection(config, io, parts),
    /** `GET /dashboard`. */
    page: dashboard(),
  };
}

/** One per route. */
export type ReportHandlers = ReturnType<typeof reportHandlers>;

function statistics(
  config: Config,
  { clock }: AppIo,
  parts: ReportRouteParts,
) {
  const { services: { ledger, observers }, trust, settled } = parts;
  const figureParts = figuresIn(config, clock, parts);
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
  return {
    /** `GET /stats`. */
    stats: stats({ report: stored.report, withhold, trust }),
    /** `POST /stats/reset`. */
    reset: resetStats(async () => {
      // What ended before belongs to the counts before.
      await settled();
      ledger.reset();
      stored.forget();
      await ledger.flush();
    }),
    /** `GET /metrics`. */
    metrics: metrics(async (isTrusted) => {
      const all = figures(await figureParts());
      return metricsText(isTrusted ? all : withhold(all), VERSION);
    }, trust),
  };
}

/** Reads the parts of all figures as they are now. */
function figuresIn(
  config: Config,
  clock: Clock,
  { services: { ledger, store, cache, attempt }, pricing }: ReportRouteParts,
): () => Promise<FigureParts> {
  const summary = mcpSummary(config, clock);
  return async () => ({
    report: ledger.report(),
    mode: config.mode,
    mcp: await summary(),
    ccr: config.ccr.enabled ? store.stats() : undefined,
    cache: config.responseCache ? cache.stats() : null,
    ratesOf: (model) => pricing.priceOf(model)?.price.base,
    stageFailures: attempt.failures,
  });
}

function reports(
  { paths }: Config,
  { clock }: AppIo,
  { services: { ledger }, trust }: ReportRouteParts,
) {
  const { reader, activity } = ledger;
  return {
    /** `GET /stats-lifetime`. */
    lifetime: stats({
      report: () => lifetimeBody(reader, ledger.state()),
      withhold,
      trust,
    }),
    /** `GET /stats-history`. */
    history: statsHistory<HistoryBody>({
      json: (mode) =>
        historyBody({ reader, path: paths?.ledger, now: clock.now() }, mode),
      csv: (series) => historyCsv(reader, series),
      withhold,
      trust,
    }),
    /** `GET /stats-range`. */
    range: statsRange<RangeBody>({
      report: (asked) => rangeBody({ activity, now: clock.now() }, asked),
      withhold,
      trust,
    }),
    /** `GET /stats-conversations`. */
    conversations: statsConversations((query) =>
      conversationsBody({ activity, now: clock.now() }, query)
    ),
  };
}

/** Single requests. */
function inspection(
  { logs }: Config,
  { clock }: AppIo,
  { services: { ledger, store, observers } }: ReportRouteParts,
) {
  return feed({
    reader: ledger.reader,
    store,
    clock,
    logMessages: logs.messages,
    ...observers.texts && { messages: observers.texts },
  });
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

const HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  // Another version of the proxy brings another page.
  "cache-control": "no-store",
};

/**
 * Makes the handler of `GET /dashboard` and `GET /dashboard/settings`, the same page: by its address it knows where to
 * open. It holds no figure, so it may be shown to anybody; the routes that it asks decide what they tell.
 */
export function dashboard(): Handler<ProxyEnv> {
  return async () => {
    // Not imported statically: who never opens it should not pay for the page, at the start and in memory.
    const { DASHBOARD_PAGE, DASHBOARD_POLICY } = await import(
      "../dashboard_page.ts"
    );
    const headers = {
      ...HEADERS,
      // Its script and styles are allowed by digest; nothing else runs, and nobody frames it.
      "content-security-policy": DASHBOARD_POLICY,
    };
    return new Response(DASHBOARD_PAGE, { headers });
  };
}

/**
 * Makes the handler of `GET /metrics`: open to all, series by names (of providers, models, projects) to trusted callers
 * only.
 *
 * @param text The metrics in the text exposition format, version 0.0.4; with or without those series.
 * @param trust Who sees them beside this machine; nobody unless given.
 */
export function metrics(
  text: (isTrusted: boolean) => string | Promise<string>,
  trust: Trust = NOBODY,
): Handler<ProxyEnv> {
  return async (c) =>
    new Response(await text(isTrustedCaller(c, trust)), {
      headers: {
        "content-type": "text/plain; version=0.0.4; charset=utf-8",
        "cache-control": "no-store",
      },
    });
}
