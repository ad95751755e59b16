/** Single requests in the report. @module */
import type { LoggedRequest } from "../core/ledger_reader.ts";
import { percent } from "./sums.ts";

/** A finished request in the names of the wire. */
export interface RecentRequest {
  /** Random, per request. */
  readonly request_id: string;
  /** When it came, ISO 8601. */
  readonly timestamp: string;
  /** Provider format. */
  readonly provider: string;
  /** As sent upstream; empty when the body did not say. */
  readonly model: string;
  /** Project it belongs to. */
  readonly project: string;
  /** HTTP status relayed to the client. */
  readonly status: number;
  /** Prompt tokens as received, by our count. */
  readonly input_tokens_original: number;
  /** Prompt tokens as sent, by our count. */
  readonly input_tokens_optimized: number;
  /** Generated tokens as billed; `null` when nobody said. */
  readonly output_tokens: number | null;
  /** Net tokens saved; 0 for a request that failed. */
  readonly tokens_saved: number;
  /** `tokens_saved` of `input_tokens_original`, in percent. */
  readonly savings_percent: number;
  /** Milliseconds that svc added. */
  readonly optimization_latency_ms: number;
  /** Milliseconds from first byte in to last byte out. */
  readonly total_latency_ms: number;
  /** Compressors and passes whose edits went out. */
  readonly transforms_applied: readonly string[];
}

/** The wire form of a request. */
export function recentRequest(request: LoggedRequest): RecentRequest {
  const { tokensBefore, tokensAfter, tokensSaved } = request;
  return {
    request_id: request.id,
    timestamp: new Date(request.at).toISOString(),
    provider: request.provider,
    model: request.model,
    project: request.project,
    status: request.status,
    input_tokens_original: tokensBefore,
    input_tokens_optimized: tokensAfter,
    output_tokens: request.output ?? null,
    tokens_saved: tokensSaved,
    savings_percent: percent(tokensSaved, tokensBefore),
    optimization_latency_ms: request.overheadMs,
    total_latency_ms: request.latencyMs,
    transforms_applied: request.strategies,
  };
}
