/** Names of the OpenTelemetry conventions for generative AI. @module */

/** What a request asked for. */
export interface GenAiCall {
  /** `gen_ai.operation.name`, e.g. `chat`. */
  readonly operation: string;
  /** `gen_ai.provider.name`: who answered. */
  readonly provider: string;
}
