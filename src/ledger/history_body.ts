/** Body of `GET /stats-history`. @module */
import type { SessionReport } from "./session.ts";
import type { SumsReport } from "./sums.ts";

/** Which points of the history are given. */
export type HistoryMode = "compact" | "full" | "none";

/** What a CSV holds. */
export type HistorySeries =
  | "history"
  | "hourly"
  | "daily"
  | "weekly"
  | "monthly";

/** Sums since the ledger was made, up to a moment. */
export interface CumulativeReport {
  /** Net tokens saved. */
  readonly total_tokens_saved: number;
  /** Net money saved, price-weighted. */
  readonly compression_savings_usd: number;
  /** Prompt tokens that went upstream. */
  readonly total_input_tokens: number;
  /** What requests cost, their answers included: prompts have no sum of their own. */
  readonly total_input_cost_usd: number;
}

/** A moment: a request that saved something, or, in the older part of `compact`, the end of an hour. */
export interface HistoryPoint extends CumulativeReport {
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** Of the request; missing for an hour, and for callers that are not trusted. */
  readonly provider?: string;
  /** See `provider`. */
  readonly model?: string;
}

/** One step of a rollup: what it adds, and the sums at its end. */
export interface RollupRow extends CumulativeReport {
  /** Its start, ISO 8601; hours, days, weeks from Monday and months, in UTC. */
  readonly timestamp: string;
  /** Net tokens saved in it. */
  readonly tokens_saved: number;
  /** Net money saved in it. */
  readonly compression_savings_usd_delta: number;
  /** Prompt tokens in it. */
  readonly total_input_tokens_delta: number;
  /** What its requests cost. */
  readonly total_input_cost_usd_delta: number;
  /** Finished requests in it. */
  readonly requests: number;
  /** Those with a 5xx status. */
  readonly failed: number;
  /** Generated tokens in it. */
  readonly output_tokens: number;
  /** Tokens added in it; taken off `tokens_saved`. */
  readonly tokens_added: number;
  /** Prompt tokens read from providers' caches in it. */
  readonly cache_read_tokens: number;
  /** Prompt tokens written to them in it. */
  readonly cache_write_tokens: number;
  /** Saved at the list price of input in it. */
  readonly gross_savings_usd: number;
  /** Requests in it whose cost nobody knows. */
  readonly unpriced_requests: number;
}

/** Totals since the ledger was made. */
export interface HistoryLifetime extends CumulativeReport {
  /** Finished requests. */
  readonly requests: number;
  /** As `total_tokens_saved`. */
  readonly tokens_saved: number;
}

/** The whole body. */
export interface HistoryBody {
  /** Of this shape. */
  readonly schema_version: 3;
  /** ISO 8601. */
  readonly generated_at: string;
  /** The ledger's file; `null` when nothing is kept, missing for callers that are not trusted. */
  readonly storage_path?: string | null;
  /** Totals. */
  readonly lifetime: HistoryLifetime;
  /** The present burst of activity. */
  readonly display_session: SessionReport;
  /** When it ends. */
  readonly display_session_policy: {
    readonly rollover_inactivity_minutes: number;
  };
  /** Oldest first. */
  readonly history: readonly HistoryPoint[];
  /** Rollups, oldest first; steps in which nothing happened are missing. */
  readonly series: {
    readonly hourly: readonly RollupRow[];
    readonly daily: readonly RollupRow[];
    readonly weekly: readonly RollupRow[];
    readonly monthly: readonly RollupRow[];
  };
  /** What can be had. */
  readonly exports: {
    readonly default_format: "json";
    readonly available_formats: readonly string[];
    readonly available_series: readonly HistorySeries[];
  };
  /** Bounds. */
  readonly retention: {
    readonly max_history_points: number;
    readonly max_history_age_days: number;
    readonly max_response_history_points: number;
  };
  /** The 50 projects that saved most; missing for callers that are not trusted. */
  readonly projects?: Readonly<Record<string, SumsReport>>;
  /** What `history` holds. */
  readonly history_summary: {
    readonly mode: HistoryMode;
    /** Points that there are, as far as they were looked at. */
    readonly stored_points: number;
    /** Those in `history`. */
    readonly returned_points: number;
    /** Whether older points stand for more than one. */
    readonly compacted: boolean;
  };
}
