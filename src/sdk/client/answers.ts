/** What the client is asked, and what it answers. @module */
import type { RetrievedOriginal } from "../compress_types.ts";
import { SvcConnectionError } from "../errors.ts";
import type { ModelCalls } from "./provider_calls.ts";
import { type HealthStatus, known, renamed } from "./reports.ts";

/** Chat completions, where OpenAI's own client has them. */
export interface Chat {
  /** `create` and `simulate`. */
  readonly completions: ModelCalls;
}

/** Which requests are listed. */
export interface MetricsQuery {
  /** Only those of this model. */
  readonly model?: string;
  /** Only those of this project. */
  readonly project?: string;
  /** At most so many; default all that the proxy reports. */
  readonly limit?: number;
}

/** Which history is asked for. */
export interface StatsHistoryQuery {
  /** `csv`: one series as text; default `json`: all of it. */
  readonly format?: "json" | "csv";
  /** Which series a CSV holds; default `history`. */
  readonly series?: "history" | "hourly" | "daily" | "weekly" | "monthly";
}

/** Whether the proxy is fit for use. */
export interface SetupReport {
  /** Whether it is. */
  readonly valid: boolean;
  /** What is wrong, one sentence each. */
  readonly errors: readonly string[];
  /** What works less well than it should, one sentence each. */
  readonly warnings: readonly string[];
  /** Provider it is made for: empty, it serves all. */
  readonly provider: string;
  /** Settings in force, in the names of the wire; empty for callers that are not trusted. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** An original, and what is known of it. */
export interface ClientOriginal extends RetrievedOriginal {
  /** Its tokens. */
  readonly originalTokens: number;
  /** Tool that printed it. */
  readonly toolName: string;
  /** Compressor that left something out. */
  readonly compressionStrategy: string;
  /** How often it was asked for. */
  readonly retrievalCount: number;
  /** Tokens of the part; absent where this is the whole. */
  readonly partTokens?: number;
}

/** A tool call of a model. */
export interface ToolCallRequest {
  /** The call as the provider wrote it. */
  readonly toolCall: unknown;
  /** How it is written, e.g. `openai` or `anthropic`; default: found out from it. */
  readonly provider?: string;
}

/** What the model is told. */
export interface ToolCallAnswer {
  /** Message or block to send back, as the provider wants it. */
  readonly toolResult: unknown;
  /** Whether the original was there. */
  readonly success: boolean;
  /** What the result says. */
  readonly data: Readonly<Record<string, unknown>>;
}

const ORIGINAL = known(
  ...["original_content", "original_tokens", "original_item_count"],
  ...["compressed_item_count", "tool_name", "compression_strategy"],
  ...["retrieval_count", "part_tokens", "ttl_seconds"],
);

/** Reads the answer of `/v1/retrieve`. */
export function clientOriginal(body: unknown): ClientOriginal {
  return renamed(body, ORIGINAL) as ClientOriginal;
}

/** Reads the answer of `/v1/retrieve/tool_call`. */
export function toolCallAnswer(
  { tool_result: toolResult, success, data }: Readonly<Record<string, unknown>>,
): ToolCallAnswer {
  return {
    toolResult,
    success: success === true,
    data: renamed(data, ORIGINAL) as ToolCallAnswer["data"],
  };
}

/** Judges what the proxy says of its health; one that cannot be reached is not valid. Other failures are thrown. */
export async function setupReport(
  asked: Promise<HealthStatus>,
): Promise<SetupReport> {
  const report = { provider: "", warnings: [], config: {} };
  try {
    const { status, checks, config = {} } = await asked;
    const parts = Object.entries(checks ?? {});
    const errors = parts.filter(([, part]) => part.enabled && !part.ready)
      .map(([name]) => `${name} does not work`);
    const warnings = parts.filter(([, part]) => part.degraded === true)
      .map(([name]) => `${name} is degraded`);
    const valid = status === "healthy" && errors.length === 0;
    return { ...report, valid, errors, warnings, config: { ...config } };
  } catch (error) {
    if (!(error instanceof SvcConnectionError)) throw error;
    return { ...report, valid: false, errors: [error.message] };
  }
}
