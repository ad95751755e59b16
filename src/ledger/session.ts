/** The last stretch of requests, in the names of the wire. @module */

/** Requests without an hour of silence between two of them, of all proxies of the workspace. */
export interface SessionReport {
  /** Finished requests. */
  readonly requests: number;
  /** Net tokens saved. */
  readonly tokens_saved: number;
  /** Net money saved. */
  readonly compression_savings_usd: number;
  /** Prompt tokens. */
  readonly total_input_tokens: number;
  /** What requests cost, their answers included: prompts have no sum of their own. */
  readonly total_input_cost_usd: number;
  /** `tokens_saved` of `total_input_tokens + tokens_saved`, in percent. */
  readonly savings_percent: number;
  /** When its first request came, ISO 8601; `null` before that. */
  readonly started_at: string | null;
  /** When its last request ended. */
  readonly last_activity_at: string | null;
}
