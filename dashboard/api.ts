/** What the proxy answers. Everything that it may withhold, or an older one does not know, is optional. @module */
import type { BlockFacts, RequestFacts } from "../src/core/inspected.ts";
import type { LifetimeBody } from "../src/ledger/lifetime_body.ts";
import type {
  ConversationReport,
  ConversationsBody,
  RangeBody,
  RangeInterval,
  SpanDurations,
} from "../src/ledger/range_body.ts";
import type { StatsBody } from "../src/ledger/stats_body.ts";
import type { SumsReport } from "../src/ledger/sums.ts";

export type {
  BlockFacts,
  ConversationReport,
  ConversationsBody,
  RangeBody,
  RangeInterval,
  RequestFacts,
  SpanDurations,
  SumsReport,
};

/** What is read of `GET /stats`. */
export type Stats = Pick<
  StatsBody,
  | "agent_usage"
  | "beacon"
  | "compression"
  | "cost"
  | "latency"
  | "left_alone_by_reason"
  | "log_full_messages"
  | "new_tool_results"
  | "otel"
  | "overhead"
  | "persistent_savings"
  | "prefix_cache"
  | "prefix_stability"
  | "requests"
  | "retrievals"
  | "savings"
  | "stage_failures"
  | "summary"
  | "tokens"
  | "tokens_saved_by_strategy"
  | "tokens_saved_by_tool"
  | "ttfb"
>;

/** Body of `GET /stats-lifetime`. */
export type Lifetime = LifetimeBody;

/** Body of `GET /health`. */
export interface Health {
  /** Of the program. */
  readonly version: string;
  /** Whole seconds since the start. */
  readonly uptime_seconds: number;
  /** Whether every part is. */
  readonly ready: boolean;
  /** Parts by name. */
  readonly checks: Readonly<
    Record<string, {
      readonly enabled: boolean;
      readonly ready: boolean;
      readonly status: string;
      readonly [more: string]: unknown;
    }>
  >;
}

/** Body of `GET /transformations/feed`. */
export interface FeedAnswer {
  /** The newest first. */
  readonly transformations: readonly FeedRow[];
  /** Whether texts of messages are kept. */
  readonly log_full_messages: boolean;
}

/** A request in the feed. */
export type FeedRow =
  & Omit<RequestFacts, "tokens_before" | "tokens_after" | "strategies">
  & {
    /** Tokens as received, by our counter. */
    readonly input_tokens_original: number;
    /** Tokens as sent. */
    readonly input_tokens_optimized: number;
    /** Ids of the compressors and passes whose edits went out. */
    readonly transforms_applied: readonly string[];
    /** The same in words, in the same order; older proxies do not say it. */
    readonly transform_labels?: readonly string[];
    /** Tool results that it met for the first time. */
    readonly blocks: number;
  };

/** Body of `GET /transformations/{id}`. */
export type InspectedRequest = RequestFacts & {
  /** Tool results that it met for the first time. */
  readonly blocks: readonly InspectedBlock[];
};

/** A tool result and its texts. */
export type InspectedBlock = BlockFacts & {
  /** `strategy` in words; older proxies do not say it. */
  readonly strategy_label?: string | null;
  /** What was sent for it, or its start. */
  readonly form: string | null;
  /** UTF-16 units left out at its end. */
  readonly form_cut: number;
  /** What was received, or its start. */
  readonly original: string | null;
  /** UTF-16 units left out at its end. */
  readonly original_cut: number;
  /** Whether the original is there. */
  readonly original_status: "kept" | "expired" | "missing" | "never_kept";
};
