/** Body of `GET /stats`: what the ledger counts, and what other parts of the proxy say. @module */
import type { LoggedRequest } from "../core/ledger_reader.ts";
import { type FigureParts, figures } from "./figures.ts";
import { newestPoints } from "./history.ts";
import type { SessionReader } from "./reader.ts";
import type { StatsReport } from "./stats_report.ts";
import { sessionReport } from "./savings_document.ts";
import type { Shown } from "./withhold.ts";
import { percent } from "./sums.ts";

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

/** The whole body. */
export type StatsBody = Shown<ReturnType<typeof statsBody>>;

/** Single requests that are shown. */
const RECENT = 10;
/** Points of the history that are shown. */
const POINTS = 100;

/** Puts the body together. @throws What the database throws. */
export function statsBody(parts: StatsParts) {
  const { reader } = parts;
  const recent = reader.requests({ limit: RECENT });
  return {
    ...figures(parts),
    /** The last stretch of requests, of all proxies of the workspace. */
    display_session: sessionReport(reader.session()),
    /** `null` when no limit is set. */
    rate_limiter: parts.rateLimiter,
    /** Local statistics of tools. */
    telemetry: parts.isTelemetryOn
      ? telemetryReport(parts.report)
      : { enabled: false },
    /** Status of the exporter; missing for callers that are not trusted. */
    otel: parts.otel,
    /** Status of the beacon; missing for callers that are not trusted. */
    beacon: parts.beacon,
    /** The last ten requests, the newest first; missing for callers that are not trusted, like the next two. */
    recent_requests: recent.map(recentRequest),
    /** The same requests as the ledger keeps them. */
    request_logs: recent,
    /** Settings in use. */
    config: parts.config,
    /** Whether texts of requests are logged. */
    log_full_messages: parts.logsMessages,
    /** Points of the history for the last 100 requests, oldest first. */
    savings_history: newestPoints(reader, POINTS),
  };
}

/** Local statistics of tools; with SVC_TELEMETRY off there is only `enabled`. */
function telemetryReport(
  { retrievals, new_tool_results: fresh }: StatsReport,
) {
  const rows = Object.values(retrievals.by_strategy);
  const sum = (key: "forms" | "elided" | "asked_for" | "tokens_saved") =>
    rows.reduce((total, row) => total + row[key], 0);
  return {
    /** Whether they are kept. */
    enabled: true,
    /** Forms made. */
    total_compressions: sum("forms"),
    /** Originals given back. */
    total_retrievals: retrievals.total,
    /** Times that an original was asked for, per form that left something out; 0 without such forms. */
    global_retrieval_rate: ratio(sum("asked_for"), sum("elided"), 0),
    /** Pairs of tool and compressor that were met. */
    tool_signatures_tracked: retrievals.shapes,
    /** Tokens after of tokens before, over new tool results that got a form; 1 when there was none. */
    avg_compression_ratio: ratio(
      fresh.compressed_tokens_after,
      fresh.compressed_tokens_before,
      1,
    ),
    /** Tokens that a form saves once, on average. */
    avg_token_reduction: Math.round(
      ratio(sum("tokens_saved"), sum("forms"), 0),
    ),
  };
}

/** Three decimals. */
function ratio(part: number, whole: number, none: number): number {
  return whole === 0 ? none : Math.round(1000 * part / whole) / 1000;
}

/** The wire form of a request. */
function recentRequest(request: LoggedRequest) {
  const { tokensBefore, tokensAfter, tokensSaved } = request;
  return {
    /** Random, per request. */
    request_id: request.id,
    /** When it came, ISO 8601. */
    timestamp: new Date(request.at).toISOString(),
    /** Provider format. */
    provider: request.provider,
    /** As sent upstream; empty when the body did not say. */
    model: request.model,
    /** Project it belongs to. */
    project: request.project,
    /** HTTP status relayed to the client. */
    status: request.status,
    /** Prompt tokens as received, by our count. */
    input_tokens_original: tokensBefore,
    /** Prompt tokens as sent, by our count. */
    input_tokens_optimized: tokensAfter,
    /** Generated tokens as billed; `null` when nobody said. */
    output_tokens: request.output ?? null,
    /** Net tokens saved; 0 for a request that failed. */
    tokens_saved: tokensSaved,
    /** `tokens_saved` of `input_tokens_original`, in percent. */
    savings_percent: percent(tokensSaved, tokensBefore),
    /** Milliseconds that svc added. */
    optimization_latency_ms: request.overheadMs,
    /** Milliseconds from first byte in to last byte out. */
    total_latency_ms: request.latencyMs,
    /** Compressors and passes whose edits went out. */
    transforms_applied: request.strategies,
  };
}
