/** Metrics and attributes of the semantic conventions for generative AI. @module */
import type { Attributes, Meter } from "@opentelemetry/api";
import type { RequestRecord } from "../core/ledger.ts";
import type { Usage } from "../core/usage.ts";
import type { GenAiCall } from "../core/gen_ai.ts";

/** Upper bounds that the conventions advise. */
const TOKEN_BOUNDS = Array.from({ length: 14 }, (_, i) => 4 ** i);
const SECOND_BOUNDS = Array.from({ length: 14 }, (_, i) => (2 ** i) / 100);

/**
 * Makes `gen_ai.client.token.usage` and `gen_ai.client.operation.duration`.
 *
 * @returns Measures one request that was sent; `model` is the name its series have. Tokens are those that the provider
 * reported: nothing is guessed.
 */
export function genAiInstruments(
  meter: Meter,
): (entry: RequestRecord, call: GenAiCall, model: string | undefined) => void {
  const tokens = meter.createHistogram("gen_ai.client.token.usage", {
    unit: "{token}",
    description: "Number of input and output tokens used",
    advice: { explicitBucketBoundaries: TOKEN_BOUNDS },
  });
  const duration = meter.createHistogram("gen_ai.client.operation.duration", {
    unit: "s",
    description: "GenAI operation duration",
    advice: { explicitBucketBoundaries: SECOND_BOUNDS },
  });
  return (entry, call, model) => {
    const attributes: Attributes = {
      "gen_ai.operation.name": call.operation,
      "gen_ai.provider.name": call.provider,
      ...model !== undefined && { "gen_ai.request.model": model },
    };
    const { usage } = entry;
    const counts = { input: promptTokens(usage), output: usage.output };
    for (const [type, count] of Object.entries(counts)) {
      if (count === undefined) continue;
      tokens.record(count, { ...attributes, "gen_ai.token.type": type });
    }
    const error = errorType(entry.status);
    duration.record(entry.latencyMs / 1000, {
      ...attributes,
      ...error !== undefined && { "error.type": error },
    });
  };
}

/** Prompt tokens that the provider reported, cached ones included; `undefined` when it reported none. */
export function promptTokens(usage: Usage): number | undefined {
  const { input, cacheRead, cacheWrite } = usage;
  const reported = [input, cacheRead, cacheWrite].filter((count) =>
    count !== undefined
  );
  return reported.length === 0
    ? undefined
    : reported.reduce((sum, count) => sum + count, 0);
}

/** Value of `error.type`: the status of a request that went wrong; `undefined` for one that did not. */
export function errorType(status: number): string | undefined {
  if (status >= 200 && status < 400) return undefined;
  return status >= 400 && status < 600 ? String(status) : "_OTHER";
}
