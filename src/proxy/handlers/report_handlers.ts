/** Handlers of the routes that say what the proxy does, loaded by the first request for one of them. @module */
import type { Handler } from "hono";
import type { AppIo } from "../../core/app_io.ts";
import type { ModelPricing } from "../../cost/pricing.ts";
import { metrics } from "./metrics.ts";
import { conversationsBody } from "../../ledger/conversations_body.ts";
import { type FigureParts, figures } from "../../ledger/figures.ts";
import { type HistoryBody, historyBody } from "../../ledger/history.ts";
import { historyCsv } from "../../ledger/history_csv.ts";
import { lifetimeBody } from "../../ledger/lifetime_body.ts";
import { metricsText } from "../../ledger/metrics.ts";
import { type RangeBody, rangeBody } from "../../ledger/range_body.ts";
import { statsBody } from "../../ledger/stats_body.ts";
import { withhold } from "../../ledger/withhold.ts";
import type { Services } from "../../services.ts";
import { mcpSummary } from "../../mcp/route.ts";
import type { ProxyEnv } from "../env.ts";
import type { Trust } from "../gates/caller.ts";
import { dashboard } from "./dashboard.ts";
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

/** One per route. */
export interface ReportHandlers {
  /** `GET /stats`. */
  readonly stats: Handler<ProxyEnv>;
  /** `GET /stats-lifetime`. */
  readonly lifetime: Handler<ProxyEnv>;
  /** `GET /stats-history`. */
  readonly history: Handler<ProxyEnv>;
  /** `GET /stats-range`. */
  readonly range: Handler<ProxyEnv>;
  /** `POST /stats/reset`. */
  readonly reset: Handler<ProxyEnv>;
  /** `GET /metrics`. */
  readonly metrics: Handler<ProxyEnv>;
  /** `GET /transformations/feed`. */
  readonly feed: Handler<ProxyEnv>;
  /** `GET /transformations/:id`. */
  readonly one: Handler<ProxyEnv>;
  /** `GET /stats-conversations`. */
  readonly conversations: Handler<ProxyEnv>;
  /** `GET /dashboard`. */
  readonly page: Handler<ProxyEnv>;
}

/** Makes them. */
export function reportHandlers(
  config: Config,
  io: AppIo,
  parts: ReportRouteParts,
): ReportHandlers {
  return {
    ...statistics(config, io, parts),
    ...reports(config, io, parts),
    ...inspection(config, io, parts),
    page: dashboard(),
  };
}

type Statistics = Pick<ReportHandlers, "stats" | "metrics" | "reset">;

function statistics(
  config: Config,
  { clock }: AppIo,
  { services, pricing, trust, settled }: ReportRouteParts,
): Statistics {
  const { ledger, store, cache, attempt, observers } = services;
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
  return {
    stats: stats({ report: stored.report, withhold, trust }),
    reset: resetStats(async () => {
      // What ended before belongs to the counts before.
      await settled();
      ledger.reset();
      stored.forget();
      await ledger.flush();
    }),
    metrics: metrics(async (isTrusted) => {
      const all = figures(await figureParts());
      return metricsText(isTrusted ? all : withhold(all), VERSION);
    }, trust),
  };
}

type Reports = Pick<
  ReportHandlers,
  "lifetime" | "history" | "range" | "conversations"
>;

function reports(
  { paths }: Config,
  { clock }: AppIo,
  { services: { ledger }, trust }: ReportRouteParts,
): Reports {
  const { reader, activity } = ledger;
  return {
    lifetime: stats({
      report: () => lifetimeBody(reader, ledger.state()),
      withhold,
      trust,
    }),
    history: statsHistory<HistoryBody>({
      json: (mode) =>
        historyBody({ reader, path: paths?.ledger, now: clock.now() }, mode),
      csv: (series) => historyCsv(reader, series),
      withhold,
      trust,
    }),
    range: statsRange<RangeBody>({
      report: (asked) => rangeBody({ activity, now: clock.now() }, asked),
      withhold,
      trust,
    }),
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
): Pick<ReportHandlers, "feed" | "one"> {
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
