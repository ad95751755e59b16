/** Body of `GET /stats`: what the ledger counts, and what other parts of the proxy say. @module */
import type { LoggedRequest } from "../core/ledger_reader.ts";
import { type FigureParts, type Figures, figures } from "./figures.ts";
import { newestPoints } from "./history.ts";
import type { HistoryPoint } from "./history_body.ts";
import type { SessionReader } from "./ledger.ts";
import { type RecentRequest, recentRequest } from "./recent_requests.ts";
import type { StatsReport } from "./report.ts";
import { sessionReport } from "./savings_document.ts";
import type { SessionReport } from "./session.ts";

/** What the body is made of. */
export interface StatsParts extends FigureParts {
  /** The ledger. */
  readonly reader: SessionReader;
  /** Rate limits, in wire names; `null` when none is set. */
  readonly rateLimiter: object | null;
  /** Status of the exporter, in wire names; no secrets. */
  readonly otel: object;
  /** Status of the beacon, in wire names. */
  readonly beacon: object;
  /** Whether local statistics of tools are kept (SVC_TELEMETRY). */
  readonly isTelemetryOn: boolean;
  /** Whether texts of requests are logged (SVC_LOG_MESSAGES). */
  readonly logsMessages: boolean;
  /** Settings that a trusted caller may see, in wire names; no secrets. */
  readonly config: object;
}

/** Local statistics of tools; with SVC_TELEMETRY off there is only `enabled`. */
export interface TelemetryReport {
  /** Whether they are kept. */
  readonly enabled: boolean;
  /** Forms made. */
  readonly total_compressions?: number;
  /** Originals given back. */
  readonly total_retrievals?: number;
  /** Times that an original was asked for, per form that left something out; 0 without such forms. */
  readonly global_retrieval_rate?: number;
  /** Pairs of tool and compressor that were met. */
  readonly tool_signatures_tracked?: number;
  /** Tokens after of tokens before, over new tool results that got a form; 1 when there was none. */
  readonly avg_compression_ratio?: number;
  /** Tokens that a form saves once, on average. */
  readonly avg_token_reduction?: number;
}

/** The whole body. */
export interface StatsBody extends Figures {
  /** The last stretch of requests, of all proxies of the workspace. */
  readonly display_session: SessionReport;
  /** `null` when no limit is set. */
  readonly rate_limiter: object | null;
  /** Local statistics of tools. */
  readonly telemetry: TelemetryReport;
  /** Status of the exporter; missing for callers that are not trusted. */
  readonly otel?: object;
  /** Status of the beacon; missing for callers that are not trusted. */
  readonly beacon?: object;
  /** The last ten requests, the newest first; missing for callers that are not trusted, like the next two. */
  readonly recent_requests?: readonly RecentRequest[];
  /** The same requests as the ledger keeps them. */
  readonly request_logs?: readonly LoggedRequest[];
  /** Settings in use. */
  readonly config?: object;
  /** Whether texts of requests are logged. */
  readonly log_full_messages: boolean;
  /** Points of the history for the last 100 requests, oldest first. */
  readonly savings_history: readonly HistoryPoint[];
}

/** Single requests that are shown. */
const RECENT = 10;
/** Points of the history that are shown. */
const POINTS = 100;

/** Puts the body together. @throws What the database throws. */
export function statsBody(parts: StatsParts): StatsBody {
  const { reader } = parts;
  const recent = reader.requests({ limit: RECENT });
  return {
    ...figures(parts),
    display_session: sessionReport(reader.session()),
    rate_limiter: parts.rateLimiter,
    telemetry: parts.isTelemetryOn
      ? telemetryReport(parts.report)
      : { enabled: false },
    otel: parts.otel,
    beacon: parts.beacon,
    recent_requests: recent.map(recentRequest),
    request_logs: recent,
    config: parts.config,
    log_full_messages: parts.logsMessages,
    savings_history: newestPoints(reader, POINTS),
  };
}

function telemetryReport(
  { retrievals, new_tool_results: fresh }: StatsReport,
): TelemetryReport {
  const rows = Object.values(retrievals.by_strategy);
  const sum = (key: "forms" | "elided" | "asked_for" | "tokens_saved") =>
    rows.reduce((total, row) => total + row[key], 0);
  return {
    enabled: true,
    total_compressions: sum("forms"),
    total_retrievals: retrievals.total,
    global_retrieval_rate: ratio(sum("asked_for"), sum("elided"), 0),
    tool_signatures_tracked: retrievals.shapes,
    avg_compression_ratio: ratio(
      fresh.compressed_tokens_after,
      fresh.compressed_tokens_before,
      1,
    ),
    avg_token_reduction: Math.round(
      ratio(sum("tokens_saved"), sum("forms"), 0),
    ),
  };
}

/** Three decimals. */
function ratio(part: number, whole: number, none: number): number {
  return whole === 0 ? none : Math.round(1000 * part / whole) / 1000;
}
